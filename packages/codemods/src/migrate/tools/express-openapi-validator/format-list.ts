import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import { toKey } from "../../code-text.js";
import { ObjectChanges } from "../../object-changes.js";
import type { CodeRecorder } from "../code-recorder.js";
import { resolveSymbol } from "../express/resolve-symbol.js";
import { propertyOf, valueNodeOf, type GivenOption, type OptionResult, type ValidatorSetUp } from "./set-up.js";

const unknownList = "`formats` is an object with a pattern or a function for each format. Write the list as one.";

/** The list or the object of formats in code: the value of the option, or of the constant that it names, in any file. */
export function formatsIn({ property }: GivenOption, { checker }: CodeRecorder): ts.Expression | undefined {
  const value = unwrap(valueNodeOf(property));
  const declaration = ts.isIdentifier(value) ? resolveSymbol(value, checker)?.valueDeclaration : undefined;
  if (declaration === undefined) return value;
  const isConstant = ts.isVariableDeclaration(declaration) && declaration.type === undefined;
  return isConstant && declaration.initializer !== undefined ? unwrap(declaration.initializer) : undefined;
}

/** `formats`: the tool also takes a list, which becomes an object. */
export function migrateFormats(given: GivenOption, { recorder }: Pick<ValidatorSetUp, "recorder">): OptionResult {
  const formats = formatsIn(given, recorder);
  const names = formats === undefined ? undefined : namesIn(formats);
  if (formats === undefined || names === undefined) return { kind: "decide", message: unknownList };
  if (ts.isArrayLiteralExpression(formats)) toObject(formats, recorder);
  const toCheck = `List the formats of the validator in plumbline.yaml, and generate it: \`formats: [${names.join(", ")}]\`.`;
  return { kind: "keep", toCheck };
}

function namesIn(formats: ts.Expression): readonly string[] | undefined {
  if (ts.isObjectLiteralExpression(formats))
    return formats.properties.map(({ name }) =>
      name !== undefined && ts.isStringLiteral(name) ? name.text : (name?.getText() ?? "…"),
    );
  if (!ts.isArrayLiteralExpression(formats)) return undefined;
  const names = formats.elements.map((each) => propertyOf(unwrap(each), "name"));
  return names.every((each) => each !== undefined && ts.isStringLiteralLike(each))
    ? names.map((each) => each.text)
    : undefined;
}

/** `[{ name: "iban", validate }]` becomes `{ iban: validate }`. With a type, a format stays an object. */
function toObject(list: ts.ArrayLiteralExpression, recorder: CodeRecorder): void {
  const file = list.getSourceFile();
  recorder.report("done", list, "The formats are an object, by name.");
  const space = /^\[\s/.test(list.getText()) ? "" : " ";
  recorder.edit(file, { start: list.getStart(), end: list.getStart() + 1, text: `{${space}` });
  recorder.edit(file, { start: list.getEnd() - 1, end: list.getEnd(), text: `${space}}` });
  const changes = new ObjectChanges(file);
  for (const element of list.elements) {
    const object = unwrap(element);
    const name = propertyOf(object, "name");
    const validate = propertyOf(object, "validate");
    if (name === undefined || !ts.isStringLiteralLike(name) || !ts.isObjectLiteralExpression(object)) continue;
    const isTyped = propertyOf(object, "type") !== undefined || validate === undefined;
    recorder.replace(element, (textOf) => `${toKey(name.text)}: ${textOf(isTyped ? object : validate)}`);
    if (isTyped) changes.remove(name.parent as ts.PropertyAssignment, "keepGroup");
  }
  for (const edit of changes.combineWith([])) recorder.edit(file, edit);
}
