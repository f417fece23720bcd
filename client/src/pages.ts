import { commands, EventEmitter, languages, TextDocumentContentProvider, TextEditor, Uri, window } from 'vscode';
import { ExecuteCommandRequest, LanguageClient } from 'vscode-languageclient/node';

type Next = (command: string, args: unknown[]) => unknown;

interface Page {
  command: string;
  argument: string;
}

/** Commands of the server that answer with Markdown, shown as previews. */
export class Pages implements TextDocumentContentProvider {
  static readonly scheme = 'shardlint';
  private readonly shown = new Map<string, Uri>();
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly client: () => LanguageClient | undefined) {}

  /** Around every command of the server: fills in what the palette does not say. */
  async execute(command: string, given: unknown[], next: Next): Promise<unknown> {
    if (command === 'shardlint.showLedger') {
      const uri = (given[0] as string | undefined) ?? window.activeTextEditor?.document.uri.toString();
      return uri === undefined ? undefined : this.open(`${lastPart(uri)} ledger`, { command, argument: uri });
    }
    if (command === 'shardlint.explain') {
      const word = (given[0] as string | undefined) ?? (await askForWord());
      return word ? this.open(word, { command, argument: word }) : undefined;
    }
    return next(command, given);
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const { command, argument } = JSON.parse(uri.query) as Page;
    const client = this.client();
    if (!client?.isRunning()) return 'The server of shardlint is not running.';
    return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });
  }

  /** What is shown may read otherwise by now. */
  renew(): void {
    for (const uri of this.shown.values()) this.changed.fire(uri);
  }

  private async open(title: string, page: Page): Promise<void> {
    const uri = Uri.from({ scheme: Pages.scheme, path: title, query: JSON.stringify(page) });
    try {
      await this.provideTextDocumentContent(uri);
    } catch (error) {
      void window.showWarningMessage(`shardlint: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    this.shown.set(uri.toString(), uri);
    this.changed.fire(uri);
    await commands.executeCommand('markdown.showPreviewToSide', uri);
  }
}

function lastPart(uri: string): string {
  return Uri.parse(uri).path.split('/').pop() ?? uri;
}

/** Offers the rule that speaks of the place of the cursor, else the word there. */
async function askForWord(): Promise<string | undefined> {
  const editor = window.activeTextEditor;
  return window.showInputBox({
    prompt: 'A rule, a key of a config, or a setting of shardlint',
    value: editor && (ruleAt(editor) ?? wordAt(editor)),
  });
}

function ruleAt({ document, selection }: TextEditor): string | undefined {
  const found = languages
    .getDiagnostics(document.uri)
    .find(({ source, range }) => source === 'shardlint' && range.contains(selection.active));
  const code = typeof found?.code === 'object' ? found.code.value : found?.code;
  return code?.toString();
}

function wordAt({ document, selection }: TextEditor): string | undefined {
  const range = document.getWordRangeAtPosition(selection.active, /[\w.]+/);
  return range && document.getText(range);
}
