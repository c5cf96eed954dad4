import path from "node:path";
import { ts } from "ts-morph";
import { createClientModule, type ClientModule } from "../client/client-module.js";
import { replaceEnumUses } from "../client/enum-uses.js";
import { migrateFunctions } from "../client/function-migration.js";
import { describeGeneratedClient, takesToken } from "../client/generated-client.js";
import { resolveDeclaration, type GeneratedImport } from "../client/generated-imports.js";
import { replaceTypeImport } from "../client/type-uses.js";
import type { CodeRecorder, ToolMigrator } from "../code-recorder.js";
import { migrateServiceCall } from "./calls.js";
import { migrateNewClient, migrateSetting, type ServiceSetup } from "./client-setup.js";
import { migrateErrorUse } from "./errors.js";
import { readServiceMethod } from "./service-methods.js";

/** Records the edits of code that uses the service classes of openapi-typescript-codegen. */
export const migrateOpenapiTypescriptCodegen: ToolMigrator = ({ api, target }, recorder) => {
  const client = describeGeneratedClient(api);
  let module: ClientModule | undefined;
  const moduleBeside = (declaration: ts.Declaration): ClientModule => {
    const folder = path.posix.dirname(path.posix.dirname(path.posix.dirname(declaration.getSourceFile().fileName)));
    return (module ??= createClientModule({ folder, api, target }, recorder));
  };
  migrateFunctions({
    recorder,
    isGenerated: isGeneratedByCodegen,
    migrateCall(each) {
      const method = readServiceMethod(each.declaration, client);
      if (method === undefined) {
        // Its promises have methods of their own, such as `catch`.
        const isOfService = /\/services\//.test(each.declaration.getSourceFile().fileName);
        const name = each.call.expression.getText();
        if (isOfService)
          recorder.report("notUnderstood", each.call, `\`${name}\` sends no operation of the description.`);
        else if (name.endsWith(".cancel"))
          recorder.report(
            "toDecide",
            each.call,
            "Calls cannot be cancelled by their promise. They have an option `signal`.",
          );
        return undefined;
      }
      const clientName = (): string => moduleBeside(each.declaration).client(each.file);
      return migrateServiceCall(each, { method, clientName, recorder }) ? [each.call.expression] : undefined;
    },
    migrateOther(node, file) {
      const setup: ServiceSetup = {
        recorder,
        takesToken: takesToken(api),
        isOfTool: (each) => declarationOfTool(each, recorder) !== undefined,
        configureName: () => {
          const declaration = findSettings(file, recorder);
          return declaration === undefined ? "configureClient" : moduleBeside(declaration).configure(file);
        },
      };
      return [
        ...migrateSetting(node, setup),
        ...migrateNewClient(node, setup),
        ...migrateErrorUse(node, { recorder, client, isGenerated: isGeneratedByCodegen }),
      ];
    },
    migrateImport: (each, left) => replaceEnumUses(each, client, recorder) || migrateTypeImport(each, left),
  });

  function migrateTypeImport(each: GeneratedImport, left: readonly ts.Identifier[]): boolean {
    const { name, declaration } = each;
    if (ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) {
      replaceTypeImport(each, client, recorder);
      return true;
    }
    const isType = left.every(({ parent }) => ts.isTypeReferenceNode(parent));
    if (!ts.isClassDeclaration(declaration) || !isType) return false;
    const type = declaration.name?.text === "ApiError" ? "ApiError" : isNamedClient(declaration) ? "Client" : undefined;
    if (type === undefined) return false;
    recorder.removeImport(name);
    if (left.length > 0)
      recorder.importName(name.declaration.getSourceFile(), { imported: type, isType: true, local: name.local });
    return true;
  }
};

function isGeneratedByCodegen({ text }: ts.SourceFile): boolean {
  return text.slice(0, 200).includes("generated using openapi-typescript-codegen");
}

function declarationOfTool(node: ts.Node, { checker }: CodeRecorder): ts.Declaration | undefined {
  const declaration = resolveDeclaration(node, checker);
  return declaration !== undefined && isGeneratedByCodegen(declaration.getSourceFile()) ? declaration : undefined;
}

/** The declaration of `OpenAPI` that a file sets options of. */
function findSettings(file: ts.SourceFile, recorder: CodeRecorder): ts.Declaration | undefined {
  const find = (node: ts.Node): ts.Declaration | undefined => {
    const isSetting = ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression);
    const found = isSetting ? declarationOfTool(node.expression, recorder) : undefined;
    return found ?? ts.forEachChild(node, find);
  };
  return find(file);
}

/** A client with a name has a property for each service. */
function isNamedClient({ members }: ts.ClassDeclaration): boolean {
  return members.some((each) => each.name?.getText() === "request");
}
