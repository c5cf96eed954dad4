import { ts } from "ts-morph";
import { rewriteClientOptions, takesParameters } from "../client/client-options.js";
import type { CodeRecorder } from "../code-recorder.js";

/** Settings of `OpenAPI`, by the names of options of a client. */
const options: Readonly<Record<string, string>> = { BASE: "baseUrl", TOKEN: "token", HEADERS: "headers" };

/** What the set-up of a client needs. */
export interface ServiceSetup {
  readonly recorder: CodeRecorder;
  readonly takesToken: boolean;
  readonly isOfTool: (node: ts.Node) => boolean;
  /** Imports the function that changes options of the client of all calls. */
  readonly configureName: () => string;
}

/**
 * Records the edits of `OpenAPI.BASE = url`.
 *
 * @returns the nodes that are replaced
 */
export function migrateSetting(node: ts.Node, setup: ServiceSetup): readonly ts.Node[] {
  const { recorder, takesToken, isOfTool, configureName } = setup;
  const isAssignment =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isExpressionStatement(node.parent);
  if (!isAssignment || !ts.isPropertyAccessExpression(node.left)) return [];
  const { expression, name } = node.left;
  if (!ts.isIdentifier(expression) || !isOfTool(expression)) return [];
  const option = Object.hasOwn(options, name.text) ? options[name.text] : undefined;
  if (option === undefined || (option === "token" && !takesToken) || takesParameters(node.right)) {
    recorder.mark(node, `Clients have no option like \`${name.text}\`. Decide how to do without it.`);
    return [];
  }
  recorder.replace(node, (textOf) => {
    const value = textOf(node.right);
    return `${configureName()}({ ${value === option ? option : `${option}: ${value}`} })`;
  });
  recorder.report("done", node, `\`OpenAPI.${name.text}\` is the option \`${option}\` of the client.`);
  return [node.left];
}

/**
 * Records the edits of `new PetsClient({ BASE: url })`.
 *
 * @returns the nodes that are replaced
 */
export function migrateNewClient(node: ts.Node, { recorder, takesToken, isOfTool }: ServiceSetup): readonly ts.Node[] {
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression) || !isOfTool(node.expression)) return [];
  const [given, ...others] = node.arguments ?? [];
  const found = rewriteClientOptions(given, { rewrites: options, takesToken });
  if (found === undefined || others.length > 0) {
    recorder.mark(
      node,
      "Decide which options of the client remain: baseUrl, token, headers, fetch, onRequest, onResponse.",
    );
    return [];
  }
  const file = node.getSourceFile();
  recorder.replace(
    node,
    (textOf) => `${recorder.importName(file, { imported: "createClient", isType: false })}(${found.text(textOf)})`,
  );
  for (const { node: at, message } of found.undecided) recorder.report("toDecide", at, message);
  recorder.report("done", node, "The client is created by `createClient` of the generated package.");
  return [node.expression];
}
