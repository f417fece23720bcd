import { DocumentFilter } from 'vscode-languageclient/node';

const LANGUAGES = ['json', 'jsonc', 'yaml', 'toml', 'hjson', 'hostfile'];

/** Files on disk and texts that have no file yet; not the editor's own settings, and no side of a diff. */
export const documentSelector: DocumentFilter[] = LANGUAGES.flatMap((language) =>
  ['file', 'untitled'].map((scheme) => ({ scheme, language })),
);
