import { LanguageClient, State } from 'vscode-languageclient/node';

/** Shows no message of its own when the server does not start: there is a better one then. */
export class Client extends LanguageClient {
  private hasRun = false;

  override async start(): Promise<void> {
    await super.start();
    this.hasRun = this.state === State.Running;
  }

  override error(message: string, data?: unknown, show: boolean | 'force' = true): void {
    super.error(message, data, this.hasRun && show);
  }
}
