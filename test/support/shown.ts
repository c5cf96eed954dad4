import { readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { ReplyTables } from "../../packages/server-runtime/dist/replies.js";
import type { Replies } from "@plumbline/validator-runtime";
import { code, print } from "../../generators/dist/emit/printer.js";
import type { TextFile } from "../../generators/dist/emit/files.js";
import type { ArtifactOptions } from "../../generators/dist/generator.js";
import { emitReplies } from "../../generators/dist/judging/replies.js";
import { emitReply } from "../../generators/dist/server/replies.js";
import { emitShown } from "../../generators/dist/server/shown.js";
import { emitTypes } from "../../generators/dist/types/declarations.js";
import { TypePrinter } from "../../generators/dist/types/print.js";
import type { Api } from "./model.js";
import { repository } from "./places.js";
import { runNode } from "./run.js";

/** What judges and shows the replies of an API, compiled in a folder. */
export async function compileReplies(
  api: Api,
  folder: string,
): Promise<{ readonly tables: ReplyTables; readonly checks: Replies }> {
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  for (const { path: file, text } of emitted(api)) {
    await writeFile(path.join(folder, path.basename(file)), text);
  }
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
  const strictest = await readFile(path.join(repository, "packages", "validator", "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(strictest) as { readonly compilerOptions: object };
  const project = { compilerOptions: { ...compilerOptions, rootDir: ".", outDir: "dist" }, include: ["*.ts"] };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(project));
  const compiler = path.join(repository, "node_modules", "typescript", "bin", "tsc");
  const { code: status, out } = await runNode([compiler, "-p", "."], { in: folder });
  if (status !== 0) throw new Error(out);
  const load = (name: string): Promise<unknown> => import(pathToFileURL(path.join(folder, "dist", name)).href);
  const made = (await load("shown.js")) as {
    readonly shown: ReplyTables["shown"];
    readonly visibleTo: ReplyTables["visibleTo"];
    readonly replyHeaders: ReplyTables["headers"];
  };
  const { replies } = (await load("replies.js")) as { readonly replies: Replies };
  return { tables: { ...made, headers: made.replyHeaders }, checks: replies };
}

function emitted(api: Api): readonly TextFile[] {
  const printer = new TypePrinter(api);
  const types = print(
    api.operations.map((operation) => emitReply(operation, printer)),
    code``,
  );
  return [
    ...emitShown(api, options),
    ...emitReplies(api, api.operations, { shared: new Set(), locate: options.locate }),
    ...emitTypes(api),
    { path: "handlers.ts", text: types },
  ];
}

const options: ArtifactOptions = {
  package: "server",
  private: true,
  source: (origin) => origin.file,
  locate: (origin) => ({ ...origin, line: 1, column: 1 }),
};
