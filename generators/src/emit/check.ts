import { Project, ScriptTarget } from "ts-morph";
import type { TextFile } from "./files.js";

/** Parses generated TypeScript once a file. Throws when any of it is not TypeScript, which is a fault of ours. */
export function checkSyntax(files: readonly TextFile[]): void {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { target: ScriptTarget.ES2022, noLib: true, noResolve: true },
  });
  const program = () => project.getProgram();
  const sources = files.map((file) => project.createSourceFile(`/${file.path}`, file.text));
  for (const source of sources) {
    const [fault] = program().getSyntacticDiagnostics(source);
    if (fault === undefined) continue;
    const message = fault.getMessageText();
    throw new Error(
      `${source.getFilePath()}:${fault.getLineNumber()}: ${typeof message === "string" ? message : message.getMessageText()}`,
    );
  }
}
