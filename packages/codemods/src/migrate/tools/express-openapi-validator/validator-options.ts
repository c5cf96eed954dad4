import { serverPath } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { ObjectChanges } from "../../object-changes.js";
import type { TextOf } from "../nested-edits.js";
import { migrateFormats } from "./format-list.js";
import { migrateInvalidResponses, migrateSecurity, presenceChecks } from "./option-handlers.js";
import {
  indentOf,
  isFalse,
  movedText,
  propertyOf,
  valueNodeOf,
  type GivenOption,
  type OptionResult,
  type ValidatorSetUp,
} from "./set-up.js";

/** What becomes of an option of the tool. */
type OptionMigration = (given: GivenOption, setUp: ValidatorSetUp) => OptionResult;

const remove: OptionMigration = () => ({ kind: "remove" });
const keep: OptionMigration = () => ({ kind: "keep" });

const migrations: Readonly<Record<string, OptionMigration>> = {
  // The package is generated from the description, which the generator has checked.
  apiSpec: remove,
  validateApiSpec: remove,
  $refParser: remove,
  // Decoding is that of the description.
  coerceTypes: remove,
  unknownFormats: remove,
  ajvFormats: remove,
  useRequestUrl: remove,
  // `uploads` takes their values.
  fileUploader: remove,
  multerOpts: remove,
  ignorePaths: keep,
  ignoreUndocumented: keep,
  validateRequests: migrateRequestValidation,
  validateResponses: migrateResponseValidation,
  validateSecurity: migrateSecurity,
  securityHandlers: migrateSecurity,
  formats: migrateFormats,
  validateFormats: ({ value }) => ({ kind: "remove", toCheck: isFalse(value) ? knownFormats : undefined }),
  operationHandlers: ({ value }) => (isFalse(value) ? { kind: "remove" } : { kind: "decide", message: noHandlers }),
  serDes: migrateSerializers,
};

const knownFormats = "The validator always checks the formats that OpenAPI defines.";
const noHandlers =
  "The validator calls no handlers. Register routes of Express, or use the generated server with an object of handlers.";
const allRequests = "The validator always validates requests; `operations` selects those to validate.";
const plainBodies =
  "The validator decodes parameters and forms. It converts no values in bodies of JSON: a text in the place of a number gets 400.";
const dates = "Set `dates: Date` of the validator in plumbline.yaml: `date-time` is a `Date` then.";
const otherSerializers =
  "The validator has `dates: Date` in plumbline.yaml for `date-time`. Convert other formats in handlers.";

function migrateRequestValidation({ value }: GivenOption): OptionResult {
  if (isFalse(value)) return { kind: "decide", message: allRequests };
  const isOn = (name: string): boolean => propertyOf(value, name) !== undefined && !isFalse(propertyOf(value, name));
  const toCheck = isOn("coerceTypes") ? plainBodies : undefined;
  return isOn("removeAdditional")
    ? { kind: "replace", text: 'unknown: "strip"', toCheck }
    : { kind: "remove", toCheck };
}

function migrateResponseValidation(given: GivenOption, setUp: ValidatorSetUp): OptionResult {
  const { value } = given;
  if (isFalse(value)) return { kind: "remove" };
  const isWritten = value.kind === ts.SyntaxKind.TrueKeyword || ts.isObjectLiteralExpression(value);
  if (!isWritten) return { kind: "replace", text: `validateResponses: ${parenthesize(value)} ? "enforce" : "off"` };
  return migrateInvalidResponses(given, setUp) ?? { kind: "replace", text: 'validateResponses: "enforce"' };
}

function migrateSerializers({ value }: GivenOption): OptionResult {
  const names = ts.isArrayLiteralExpression(value) ? value.elements.map((each) => each.getText()) : ["?"];
  if (names.every((each) => each.endsWith(".dateTime.serializer"))) return { kind: "remove" };
  if (names.every((each) => /\.dateTime(\.\w+)?$/.test(each))) return { kind: "remove", toCheck: dates };
  return { kind: "decide", message: otherSerializers };
}

/** Changes the options of the tool's middleware to those of a generated validator. */
export function migrateValidatorOptions(setUp: ValidatorSetUp): void {
  const { object, options, call, api, recorder } = setUp;
  const changes = new ObjectChanges(call.getSourceFile());
  for (const each of options) migrateOption(each, { setUp, changes });
  for (const property of object.properties)
    if (!options.some((each) => each.property === property))
      recorder.mark(property, unknownOption(property.name?.getText()));
  const valueOf = (name: string): ts.Expression | undefined => options.find((each) => each.name === name)?.value;
  const hasSecurity = valueOf("validateSecurity") !== undefined || valueOf("securityHandlers") !== undefined;
  const forms = migrateUploads(setUp);
  const added: Readonly<Record<string, string | undefined>> = {
    basePath: basePathOf(setUp),
    acceptParsedBody: setUp.hasParser ? "true" : undefined,
    unknownQuery: unknownQueryOf(propertyOf(valueOf("validateRequests"), "allowUnknownQueryParameters")),
    security: hasSecurity ? undefined : presenceChecks(api),
    unreadBodies: forms.length === 0 ? undefined : listOf(forms),
    onError: setUp.hasErrorHandler ? setUp.importHandler("throwHttpError") : undefined,
  };
  for (const [name, value] of Object.entries(added)) if (value !== undefined) changes.addTo(object, { name, value });
  for (const edit of changes.combineWith([])) recorder.edit(call.getSourceFile(), edit);
  if (api.operations.some(({ parameters }) => parameters.some((each) => each.in === "path")))
    recorder.report("toDecide", call, "A path parameter that is not valid gets 404, and not 400: it names nothing.");
}

function migrateOption(
  given: GivenOption,
  { setUp, changes }: { readonly setUp: ValidatorSetUp; readonly changes: ObjectChanges },
): void {
  const { recorder } = setUp;
  const { property, name } = given;
  const migration = Object.hasOwn(migrations, name) ? migrations[name] : undefined;
  const result = migration?.(given, setUp) ?? { kind: "decide", message: unknownOption(name) };
  if (result.kind === "decide") return recorder.mark(property, result.message);
  if (result.toCheck !== undefined) recorder.report("toDecide", property, result.toCheck);
  if (result.kind === "keep") return;
  if ("text" in result) recorder.replace(property, result.text);
  else changes.remove(property, "keepGroup");
  recorder.report("done", property, `Migrated the option \`${name}\`.`);
}

function unknownOption(name: string | undefined): string {
  return `The validator has no option \`${name}\`, or it is written in another way here.`;
}

/** Adds `multer` behind the validator, and a validator of the forms behind that. Returns the operations that have forms. */
function migrateUploads(setUp: ValidatorSetUp): readonly string[] {
  const { api, options, call, recorder } = setUp;
  const uploader =
    options.find(({ name }) => name === "fileUploader") ?? options.find(({ name }) => name === "multerOpts");
  const forms = api.operations.filter(({ requestBody }) =>
    requestBody?.contents.some(({ mediaType }) => mediaType === "multipart/form-data"),
  );
  if (forms.length === 0 || isFalse(uploader?.value)) return [];
  const storage = propertyOf(uploader?.value, "storage")?.getText() ?? "memoryStorage";
  const isOnDisk = propertyOf(uploader?.value, "dest") !== undefined || !storage.includes("memoryStorage");
  const names = forms.map(({ name }) => name);
  const read = setUp.importHandler("uploads");
  recorder.report("toDecide", call, "Add `multer` and `@types/multer` to the dependencies: the tool brought its own.");
  if (isOnDisk)
    recorder.report(
      "toDecide",
      call,
      "Files on disk are not validated. Check the fields of their forms in the handlers.",
    );
  addBehind(setUp, (textOf) => {
    const isDefault = uploader === undefined || uploader.value.kind === ts.SyntaxKind.TrueKeyword;
    const value = isDefault ? "" : movedText(textOf(valueNodeOf(uploader.property)), uploader.property, call);
    const checks = {
      operations: listOf(names),
      onError: setUp.hasErrorHandler ? setUp.importHandler("throwHttpError") : undefined,
    };
    return [`${read}(${value})`, ...(isOnDisk ? [] : [validatorCall(setUp, { textOf, ...checks })])];
  });
  return names;
}

/** Adds a validator behind the tool's: it decodes parameters for handlers that are migrated before those of other files. */
export function addBridge(setUp: ValidatorSetUp): void {
  for (const each of setUp.options.filter(({ name }) => name === "formats")) {
    const result = migrateFormats(each, setUp);
    const step = result.kind === "decide" ? result.message : result.toCheck;
    if (step !== undefined) setUp.recorder.report("toDecide", each.property, step);
  }
  addBehind(setUp, (textOf) => [validatorCall(setUp, { textOf, ignoreUndocumented: "true" })]);
}

/** Adds arguments behind the call of the middleware. */
function addBehind({ call, recorder }: ValidatorSetUp, argumentsOf: (textOf: TextOf) => readonly string[]): void {
  const file = call.getSourceFile();
  const isAlone = file.text.slice(0, call.getStart()).endsWith(`\n${indentOf(call)}`);
  const separator = isAlone ? `,\n${indentOf(call)}` : ", ";
  const text = (textOf: TextOf): string => [textOf(call), ...argumentsOf(textOf)].join(separator);
  recorder.edit(file, { start: call.getStart(), end: call.getEnd(), text });
}

/** A validator of bodies that were read before, with the options of the tool's middleware that concern them. */
function validatorCall(
  setUp: ValidatorSetUp,
  { textOf, ...more }: { readonly textOf: TextOf } & Readonly<Record<string, string | TextOf | undefined>>,
): string {
  const shared = setUp.options
    .filter(({ name }) => name === "formats" || name === "ignorePaths")
    .map(({ name, property }) => [name, textOf(valueNodeOf(property))] as const);
  const entries = Object.entries({
    basePath: basePathOf(setUp),
    acceptParsedBody: "true",
    ...more,
    ...Object.fromEntries(shared),
  });
  const texts = entries.flatMap(([name, value]) => {
    if (typeof value !== "string") return [];
    return name === value ? name : `${name}: ${value}`;
  });
  return `${setUp.validator}({ ${texts.join(", ")} })`;
}

function listOf(names: readonly string[]): string {
  return `[${names.map((each) => JSON.stringify(each)).join(", ")}]`;
}

/** The tool rejects unknown parameters of the query, unless this says otherwise. */
function unknownQueryOf(isAllowed: ts.Expression | undefined): string | undefined {
  if (isAllowed === undefined || isFalse(isAllowed)) return '"reject"';
  return isAllowed.kind === ts.SyntaxKind.TrueKeyword ? undefined : `${parenthesize(isAllowed)} ? "ignore" : "reject"`;
}

function basePathOf({ api, isMounted }: ValidatorSetUp): string | undefined {
  if (isMounted) return undefined;
  const paths = [...new Set(api.servers.map(({ url }) => serverPath(url)))];
  if (paths.length > 1) return listOf(paths);
  return paths[0] === undefined || paths[0] === "" ? undefined : JSON.stringify(paths[0]);
}

function parenthesize(node: ts.Expression): string {
  const isShort = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isCallExpression(node);
  const isComparison = ts.isBinaryExpression(node) && /^[!=]==?$/.test(node.operatorToken.getText());
  return isShort || isComparison ? node.getText() : `(${node.getText()})`;
}
