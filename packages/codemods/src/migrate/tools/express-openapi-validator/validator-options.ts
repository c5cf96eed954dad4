import { serverPath, type Api } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import { ObjectChanges } from "../../object-changes.js";
import type { CodeRecorder } from "../code-recorder.js";

/** What becomes of an option of the tool: it goes, it stays, it becomes others, or a person has to decide. */
type OptionMigration = (option: ts.PropertyAssignment, api: Api) => OptionResult;

type OptionResult =
  | { readonly kind: "remove" | "keep" }
  | { readonly kind: "replace"; readonly name: string; readonly value: string }
  | { readonly kind: "decide"; readonly message: string };

const remove: OptionMigration = () => ({ kind: "remove" });
const keep: OptionMigration = () => ({ kind: "keep" });
const decide =
  (message: string): OptionMigration =>
  () => ({ kind: "decide", message });

const withoutCredentials =
  'The validator checks credentials with `security`: a function for each scheme, `(request, { credential, scopes }) => boolean | "forbidden"`.';
const withoutUploads =
  "The validator passes no uploads to multer. Put multer in front, with `memoryStorage()` and `acceptParsedBody: true`, or read files from the decoded body.";

const withoutHandlers =
  "The validator calls no handlers. Register routes of Express, or use the generated server with an object of handlers.";

const options: Readonly<Record<string, OptionMigration>> = {
  // The package is generated from the description, which the generator has checked.
  apiSpec: remove,
  validateApiSpec: remove,
  $refParser: remove,
  // Decoding is that of the description.
  coerceTypes: remove,
  unknownFormats: remove,
  ajvFormats: remove,
  useRequestUrl: remove,
  ignorePaths: keep,
  ignoreUndocumented: keep,
  validateRequests: migrateRequestValidation,
  validateResponses: migrateResponseValidation,
  validateSecurity: (option) =>
    isKeyword(option.initializer, "false") ? { kind: "remove" } : { kind: "decide", message: withoutCredentials },
  securityHandlers: decide(withoutCredentials),
  fileUploader: (option) =>
    isKeyword(option.initializer, "false") ? { kind: "remove" } : { kind: "decide", message: withoutUploads },
  multerOpts: decide(withoutUploads),
  operationHandlers: (option) =>
    isKeyword(option.initializer, "false") ? { kind: "remove" } : { kind: "decide", message: withoutHandlers },
  validateFormats: (option) =>
    isKeyword(option.initializer, "false")
      ? { kind: "decide", message: "The validator always checks the formats that OpenAPI defines." }
      : { kind: "remove" },
  formats: decide(
    "Formats of your own are an option of validators that are generated with `formats` in plumbline.yaml.",
  ),
  serDes: decide("The validator has `dates: Date` in plumbline.yaml for `date-time`. Other formats stay texts."),
};

function migrateRequestValidation({ initializer }: ts.PropertyAssignment): OptionResult {
  if (isKeyword(initializer, "true")) return { kind: "remove" };
  if (isKeyword(initializer, "false"))
    return {
      kind: "decide",
      message: "The validator always validates requests; `operations` selects those to validate.",
    };
  const object = unwrap(initializer);
  if (!ts.isObjectLiteralExpression(object))
    return { kind: "decide", message: "The options of the validation of requests are others." };
  const isStripped = object.properties.some(
    (each) =>
      ts.isPropertyAssignment(each) &&
      each.name.getText() === "removeAdditional" &&
      !isKeyword(each.initializer, "false"),
  );
  return isStripped ? { kind: "replace", name: "unknown", value: '"strip"' } : { kind: "remove" };
}

function migrateResponseValidation({ initializer }: ts.PropertyAssignment): OptionResult {
  const value = unwrap(initializer);
  const as = (text: string): OptionResult => ({ kind: "replace", name: "validateResponses", value: text });
  if (isKeyword(value, "true")) return as('"enforce"');
  if (isKeyword(value, "false")) return { kind: "remove" };
  if (!ts.isObjectLiteralExpression(value)) return as(`${parenthesize(value)} ? "enforce" : "off"`);
  const hasHandler = value.properties.some((each) => each.name?.getText() === "onError");
  return hasHandler
    ? {
        kind: "decide",
        message:
          'Set `validateResponses: "report"`, and pass `onInvalidResponse`, which receives each invalid response.',
      }
    : as('"enforce"');
}

function parenthesize(node: ts.Expression): string {
  const isShort = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isCallExpression(node);
  const isComparison = ts.isBinaryExpression(node) && /^[!=]==?$/.test(node.operatorToken.getText());
  return isShort || isComparison ? node.getText() : `(${node.getText()})`;
}

function isKeyword(node: ts.Expression, text: "true" | "false"): boolean {
  return node.getText() === text;
}

/** What the set-up needs beside the options. */
export interface ValidatorSetUp {
  readonly api: Api;
  /** The code of `onError`. */
  readonly onError: string | undefined;
  /** Whether the middleware is mounted at a path. */
  readonly isMounted: boolean;
  /** Whether a parser of JSON reads bodies before. */
  readonly hasParser: boolean;
}

/**
 * Changes the options of the tool's middleware to those of a generated validator.
 *
 * @returns false where they are not written in place
 */
export function migrateValidatorOptions(
  call: ts.CallExpression,
  setUp: ValidatorSetUp,
  recorder: CodeRecorder,
): boolean {
  const [given] = call.arguments;
  const object = given === undefined ? undefined : unwrap(given);
  if (object === undefined || !ts.isObjectLiteralExpression(object) || object.properties.some(ts.isSpreadAssignment))
    return false;
  const file = call.getSourceFile();
  const changes = new ObjectChanges(file);
  for (const option of object.properties) migrateOption(option, setUp.api, changes, recorder);
  const basePath = basePathOf(setUp);
  if (basePath !== undefined) changes.addTo(object, { name: "basePath", value: basePath });
  if (setUp.hasParser) changes.addTo(object, { name: "acceptParsedBody", value: "true" });
  if (!/allowUnknownQueryParameters\s*:\s*true/.test(object.getText()))
    changes.addTo(object, { name: "unknownQuery", value: '"reject"' });
  if (setUp.onError !== undefined) changes.addTo(object, { name: "onError", value: setUp.onError });
  for (const edit of changes.combineWith([])) recorder.edit(file, edit);
  const names = new Set(object.properties.map((each) => each.name?.getText()));
  if (setUp.api.operations.some(hasCheckedPath))
    recorder.report("toDecide", call, "A path parameter that is not valid gets 404, and not 400: it names nothing.");
  if (!names.has("validateSecurity") && !names.has("securityHandlers") && setUp.api.operations.some(needsCredentials))
    recorder.mark(call, withoutCredentials);
  if (!names.has("fileUploader") && setUp.api.operations.some(takesFiles)) recorder.mark(call, withoutUploads);
  return true;
}

function migrateOption(
  option: ts.ObjectLiteralElementLike,
  api: Api,
  changes: ObjectChanges,
  recorder: CodeRecorder,
): void {
  const name = option.name?.getText() ?? "";
  const isPlain = ts.isPropertyAssignment(option);
  const migration = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!isPlain || migration === undefined) {
    if (migration === remove) changes.remove(option, "keepGroup");
    else recorder.mark(option, `The validator has no option \`${name}\`, or it is written in another way here.`);
    return;
  }
  const result = migration(option, api);
  switch (result.kind) {
    case "keep":
      return;
    case "remove":
      changes.remove(option, "keepGroup");
      recorder.report("done", option, `\`${name}\` has no counterpart, and needs none.`);
      return;
    case "replace":
      recorder.replace(option, `${result.name}: ${result.value}`);
      recorder.report("done", option, `\`${name}\` is \`${result.name}\` here.`);
      return;
    case "decide":
      recorder.mark(option, result.message);
  }
}

function basePathOf({ api, isMounted }: ValidatorSetUp): string | undefined {
  if (isMounted) return undefined;
  const paths = [...new Set(api.servers.map(({ url }) => serverPath(url)))];
  if (paths.length <= 1) return paths[0] === undefined || paths[0] === "" ? undefined : JSON.stringify(paths[0]);
  return JSON.stringify(paths);
}

function needsCredentials({ security }: Api["operations"][number]): boolean {
  return security.some((schemes) => schemes.length > 0);
}

function hasCheckedPath({ parameters }: Api["operations"][number]): boolean {
  return parameters.some((each) => each.in === "path");
}

function takesFiles({ requestBody }: Api["operations"][number]): boolean {
  return (requestBody?.contents ?? []).some(({ mediaType }) => mediaType === "multipart/form-data");
}
