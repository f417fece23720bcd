import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from 'vscode';

export type Argv = [string, ...string[]];

const IN_VENV = process.platform === 'win32' ? ['Scripts', 'shardlint.exe'] : ['bin', 'shardlint'];

/** What the user set; else shardlint in the .venv of a folder that is trusted; else the one on the PATH. */
export function serverCommand(): Argv {
  const settings = workspace.getConfiguration('shardlint');
  const [program, ...rest] = settings.get<string[]>('command', []);
  const stated = settings.inspect('command');
  const isStated = stated?.globalValue !== undefined || stated?.workspaceValue !== undefined;
  if (program && isStated) return [program, ...rest];
  const own = workspace.isTrusted ? inWorkspace().find((path) => existsSync(path)) : undefined;
  return [own ?? 'shardlint', 'lsp'];
}

function inWorkspace(): string[] {
  return (workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => join(folder.uri.fsPath, '.venv', ...IN_VENV));
}
