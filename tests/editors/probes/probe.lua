-- Opens a file, waits for what the editor shows of it, applies a fix; what was seen goes to a file as JSON.
local ask = vim.fn.json_decode(os.getenv('SHARDLINT_PROBE'))
local seen = { release = vim.version().major .. '.' .. vim.version().minor }

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    error('waited in vain for ' .. what .. '; ' .. vim.inspect(vim.diagnostic.get(0)))
  end
end

local function client()
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ name = 'shardlint' })[1]
  end
  for _, one in pairs(vim.lsp.get_active_clients()) do
    if one.name == 'shardlint' then
      return one
    end
  end
end

local function said(words)
  for _, found in ipairs(vim.diagnostic.get(0)) do
    if found.message:find(words, 1, true) then
      return true
    end
  end
  return false
end

local function place(text)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search('\\V' .. text, 'cW') > 0, text)
end

local function request(method)
  local params = vim.lsp.util.make_position_params(0, client().offset_encoding)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  return (answers[client().id] or {}).result
end

local function diagnostics()
  local shown = {}
  for _, found in ipairs(vim.diagnostic.get(0)) do
    local line = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, true)[1]
    table.insert(shown, {
      code = found.code,
      severity = found.severity,
      source = found.source,
      text = found.lnum == found.end_lnum and line:sub(found.col + 1, found.end_col) or '',
    })
  end
  return shown
end

local function hover()
  place(ask.hover)
  return request('textDocument/hover').contents.value
end

local function completion()
  place(ask.complete)
  local found = request('textDocument/completion')
  local labels = {}
  for _, item in ipairs(found.items or found) do
    table.insert(labels, item.label)
  end
  return labels
end

local function fix()
  place(ask.fix)
  vim.ui.select = function(items, options, chosen)
    for number, item in ipairs(items) do
      if options.format_item(item):find(ask.title, 1, true) then
        return chosen(item, number)
      end
    end
    error('no action ' .. ask.title .. ' in ' .. vim.inspect(vim.tbl_map(options.format_item, items)))
  end
  vim.lsp.buf.code_action()
  wait('the fix', function()
    return vim.api.nvim_buf_get_lines(0, 0, -1, true)[ask.fixed_line] == ask.fixed
  end)
  wait('the finding to go', function()
    return not said(ask.finding)
  end)
end

local function hints()
  if not vim.lsp.inlay_hint then
    return
  end
  wait('inlay hints', function()
    return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0
  end)
  local labels = {}
  for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    local label = hint.inlay_hint.label
    table.insert(labels, type(label) == 'string' and label or label[1].value)
  end
  return labels
end

local function pulled()
  if not client().server_capabilities.diagnosticProvider or not vim.lsp.diagnostic.get_namespace then
    return
  end
  local namespace = vim.lsp.diagnostic.get_namespace(client().id, true)
  return #vim.diagnostic.get(0, { namespace = namespace })
end

local function look()
  vim.cmd('edit ' .. vim.fn.fnameescape(ask.file))
  wait(ask.finding, function()
    return said(ask.finding)
  end)
  seen.encoding = client().offset_encoding
  seen.diagnostics = diagnostics()
  seen.pulled = pulled()
  seen.hover = hover()
  seen.completion = completion()
  seen.hints = hints()
  fix()
  seen.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
end

local fine, problem = xpcall(look, debug.traceback)
if not fine then
  seen.problem = problem
end
vim.fn.writefile({ vim.fn.json_encode(seen) }, ask.answer)
vim.cmd('qa!')
