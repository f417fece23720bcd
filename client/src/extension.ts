import { commands, ExtensionContext, workspace } from 'vscode';
import { State } from 'vscode-languageclient/node';
import { Client } from './client';
import { documentSelector } from './documents';
import { Pages } from './pages';
import { serverCommand } from './serverCommand';
import { tellItDidNotStart } from './trouble';

let client: Client | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const pages = new Pages(() => client);
  context.subscriptions.push(
    workspace.registerTextDocumentContentProvider(Pages.scheme, pages),
    workspace.onDidSaveTextDocument(() => pages.renew()),
    commands.registerCommand('shardlint.restart', () => restart(pages)),
  );
  await start(pages);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(pages: Pages): Promise<void> {
  const [command, ...args] = serverCommand();
  const started = new Client(
    'shardlint',
    'shardlint',
    { command, args },
    {
      documentSelector,
      initializationFailedHandler: () => false,
      middleware: { executeCommand: (name, given, next) => pages.execute(name, given, next) },
    },
  );
  client = started;
  started.onDidChangeState(({ newState }) =>
    commands.executeCommand('setContext', 'shardlint.running', newState === State.Running),
  );
  try {
    await started.start();
  } catch (error) {
    void tellItDidNotStart([command, ...args], error, started.outputChannel);
  }
}

async function restart(pages: Pages): Promise<void> {
  const before = client;
  client = undefined;
  if (before?.isRunning()) await before.stop();
  before?.outputChannel.dispose();
  await start(pages);
}
