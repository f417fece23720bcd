;;; Opens a file, waits for what Emacs shows of it, applies a fix; what was seen goes to a file as JSON.  -*- lexical-binding: t -*-

(require 'cl-lib)
(require 'json)
(require 'flymake)

(defvar probe-ask (json-parse-string (getenv "SHARDLINT_PROBE") :object-type 'alist))
(defvar probe-seen nil)

(defun probe-want (name) (alist-get name probe-ask))

(defun probe-see (name value) (push (cons name value) probe-seen))

(defun probe-wait (what condition)
  "Let messages come until CONDITION holds."
  (let ((deadline (+ (float-time) 20)))
    (while (not (funcall condition))
      (when (> (float-time) deadline)
        (error "Waited in vain for %s; %S" what (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))
      (accept-process-output nil 0.05)
      (flymake-start))))

(defun probe-said (words)
  (cl-some (lambda (one) (string-match-p (regexp-quote words) (flymake-diagnostic-text one)))
           (flymake-diagnostics)))

(defun probe-go (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (1+ (match-beginning 0))))

(defun probe-diagnostics ()
  (vconcat
   (mapcar (lambda (one)
             `((message . ,(flymake-diagnostic-text one))
               (type . ,(format "%s" (flymake-diagnostic-type one)))
               (text . ,(buffer-substring-no-properties (flymake-diagnostic-beg one)
                                                        (flymake-diagnostic-end one)))))
           (flymake-diagnostics))))

(defun probe-hover ()
  (let (said)
    (probe-go (probe-want 'hover))
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq said (substring-no-properties text))))
    (probe-wait "hover" (lambda () said))
    said))

(defun probe-completion ()
  (probe-go (probe-want 'complete))
  (vconcat (mapcar #'substring-no-properties
                   (all-completions "" (nth 2 (eglot-completion-at-point))))))

(defun probe-fix ()
  (probe-go (probe-want 'fix))
  (let ((last-nonmenu-event t)
        (title (regexp-quote (probe-want 'title))))
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_ items &rest _)
                 (or (cl-find-if (lambda (one) (string-match-p title one)) (mapcar #'car items))
                     (error "No action %s in %S" title (mapcar #'car items))))))
      (eglot-code-actions (point) (point) nil t)))
  (probe-wait "the fix" (lambda () (save-excursion
                                     (goto-char (point-min))
                                     (search-forward (probe-want 'fixed) nil t))))
  (save-buffer) ; what is typed is sent when Emacs is idle, which it never is in batch; saving sends it too
  (probe-wait "the finding to go" (lambda () (not (probe-said (probe-want 'finding))))))

(defun probe ()
  (setq eglot-sync-connect 20 eglot-connect-timeout 20)
  (switch-to-buffer (find-file-noselect (probe-want 'file)))
  (run-hooks 'post-command-hook)
  (probe-see 'release emacs-version)
  (probe-see 'mode (symbol-name major-mode))
  (probe-wait "the finding" (lambda () (probe-said (probe-want 'finding))))
  (probe-see 'diagnostics (probe-diagnostics))
  (probe-see 'hover (probe-hover))
  (probe-see 'completion (probe-completion))
  (probe-fix)
  (probe-see 'text (buffer-substring-no-properties (point-min) (point-max))))

(condition-case problem
    (probe)
  (error (probe-see 'problem (format "%S" problem))))
(with-temp-file (probe-want 'answer)
  (insert (json-serialize probe-seen)))
(kill-emacs)
