import { commands, OutputChannel, window } from 'vscode';
import { Argv } from './serverCommand';

const SETTINGS = 'Open the setting';
const LOG = 'Show the log';

/** Says what was run and what to do about it. */
export async function tellItDidNotStart(argv: Argv, error: unknown, log: OutputChannel): Promise<void> {
  log.appendLine(`${argv.join(' ')}: ${error instanceof Error ? error.message : String(error)}`);
  const chosen = await window.showErrorMessage(
    `shardlint did not start. What was run: \`${argv.join(' ')}\`. ` +
      'Install it with `pip install shardlint`, in .venv of this folder or on the PATH, ' +
      'or name it in the setting shardlint.command; then run "shardlint: Restart server".',
    SETTINGS,
    LOG,
  );
  if (chosen === SETTINGS) await commands.executeCommand('workbench.action.openSettings', 'shardlint.command');
  if (chosen === LOG) log.show();
}
