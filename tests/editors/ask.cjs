// Asks the JSON language service of VS Code. One JSON object on stdin:
//   {"schema": {...}, "questions": [{"text": "...", "offset": 12}, ...]}
// and for each question, on stdout, what an editor shows there:
//   {"completions": [{"label", "insert", "documentation"}], "hover": "...", "problems": ["..."]}
const { getLanguageService, TextDocument } = require("vscode-json-languageservice");

const plain = (content) => (content === undefined ? "" : typeof content === "string" ? content : content.value);

async function answer(service, question) {
  const document = TextDocument.create("file:///ds_config.json", "json", 1, question.text);
  const parsed = service.parseJSONDocument(document);
  const position = document.positionAt(question.offset);
  const completions = await service.doComplete(document, position, parsed);
  const hover = await service.doHover(document, position, parsed);
  const problems = await service.doValidation(document, parsed);
  return {
    completions: (completions ? completions.items : []).map((item) => ({
      label: item.label,
      insert: item.insertText,
      documentation: plain(item.documentation),
    })),
    hover: hover ? [hover.contents].flat().map(plain).join("\n") : "",
    problems: problems.map((problem) => problem.message),
  };
}

async function main() {
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  const { schema, questions } = JSON.parse(text);
  const service = getLanguageService({ clientCapabilities: {} });
  service.configure({
    validate: true,
    schemas: [{ uri: "file:///schema.json", fileMatch: ["*.json"], schema }],
  });
  const answers = [];
  for (const question of questions) answers.push(await answer(service, question));
  process.stdout.write(JSON.stringify(answers));
}

main();
