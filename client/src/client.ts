import { CloseAction, ErrorHandler, LanguageClient, State } from 'vscode-languageclient/node';

/** Where the server does not start, it is neither tried again nor spoken of here: there is a better message then. */
export class Client extends LanguageClient {
  private hasRun = false;

  override async start(): Promise<void> {
    await super.start();
    this.hasRun = this.state === State.Running;
  }

  override error(message: string, data?: unknown, show: boolean | 'force' = true): void {
    super.error(message, data, this.hasRun && show);
  }

  override createDefaultErrorHandler(maxRestartCount?: number): ErrorHandler {
    const usual = super.createDefaultErrorHandler(maxRestartCount);
    return {
      error: (...what) => usual.error(...what),
      closed: () => (this.hasRun ? usual.closed() : { action: CloseAction.DoNotRestart, handled: true }),
    };
  }
}
