import { commands, ExtensionContext, OutputChannel, window, workspace } from 'vscode';
import { State } from 'vscode-languageclient/node';
import { Client } from './client';
import { documentSelector } from './documents';
import { Pages } from './pages';
import { serverCommand } from './serverCommand';
import { tellItDidNotStart } from './trouble';

let client: Client | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel('shardlint');
  const pages = new Pages(() => client);
  context.subscriptions.push(
    log,
    workspace.registerTextDocumentContentProvider(Pages.scheme, pages),
    workspace.onDidSaveTextDocument(() => pages.renew()),
    commands.registerCommand('shardlint.restart', async () => {
      await stop();
      await start(pages, log);
    }),
  );
  await start(pages, log);
}

export async function deactivate(): Promise<void> {
  await stop();
}

async function start(pages: Pages, log: OutputChannel): Promise<void> {
  const [command, ...args] = serverCommand();
  client = new Client(
    'shardlint',
    'shardlint',
    { command, args },
    {
      documentSelector,
      initializationOptions: { shardlint: workspace.getConfiguration('shardlint') },
      outputChannel: log,
      initializationFailedHandler: () => false,
      middleware: { executeCommand: (name, given, next) => pages.execute(name, given, next) },
    },
  );
  client.onDidChangeState(({ newState }) =>
    commands.executeCommand('setContext', 'shardlint.running', newState === State.Running),
  );
  try {
    await client.start();
  } catch (error) {
    void tellItDidNotStart([command, ...args], error, log);
  }
}

async function stop(): Promise<void> {
  if (client?.isRunning()) await client.stop();
  client = undefined;
}
