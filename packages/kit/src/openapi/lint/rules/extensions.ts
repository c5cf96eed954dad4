import { ownValue } from "../../../model/index.js";
import { findNearest } from "../../read/edit-distance.js";
import type { LintNode } from "../lint-node.js";
import type { LintRule } from "../rule.js";
import type { Extension, SpecIndex } from "../spec-index.js";
import {
  extensionFieldNames,
  findExtensionField,
  hasVocabularyForm,
  isExtensionFieldName,
  type ExtensionFieldName,
} from "../vocabulary.js";

/** An `x-` key resembles an extension field, or has its name and another form. The OpenAPI linter accepts any `x-` key. */
export const unknownExtensionsRule: LintRule<"extension/unknown"> = {
  codes: { "extension/unknown": ["error", "warning", "An extension field is unknown, or misspelled."] },
  *check(index, { ruleset, keywords }) {
    const meantByName = new Map<string, string | undefined>();
    for (const { node, type } of index.hosts) {
      for (const name of Object.keys(node.object)) {
        if (!name.startsWith("x-")) continue;
        if (isExtensionFieldName(name)) {
          if (ruleset === "strict" || meantByName.has(name) || hasVocabularyForm(name, node.object[name])) continue;
          meantByName.set(name, name);
          const message = `"${name}" has another form than the extension field of the vocabulary, and is ignored.`;
          yield { code: "extension/unknown", at: node.at([name]), message, fix: "See its page if it is meant." };
          continue;
        }
        if (name === "x-sunset" && type === "Operation") continue; // read as the sunset of x-deprecation
        if (type === "Schema" && keywords.has(name)) continue;
        const distance = ruleset === "minimal" ? 1 : Math.max(3, Math.floor(name.length / 3));
        const meant = meantByName.has(name) ? meantByName.get(name) : findNearest(name, extensionFieldNames, distance);
        meantByName.set(name, meant);
        // Vendors have their own extensions: report only names that resemble one of the vocabulary.
        if (ruleset === "minimal" && meant === undefined) continue;
        const fix =
          meant === undefined ? `The vocabulary has ${extensionFieldNames.join(", ")}.` : `Did you mean "${meant}"?`;
        yield {
          code: "extension/unknown",
          at: node.at([name]),
          message: `"${name}" is not an extension field of the vocabulary.`,
          fix,
        };
      }
    }
  },
};

/** A key or a value inside an extension field is invalid. */
export const extensionSchemasRule: LintRule<"extension/schema"> = {
  codes: { "extension/schema": ["error", "warning", "A key or a value of an extension field is invalid."] },
  *check(index) {
    for (const { field, node, reading } of index.extensions) {
      for (const { path, message, fix } of reading.issues) {
        yield {
          code: "extension/schema",
          at: node.at(path),
          message: `${field}: ${message}`,
          fix,
        };
      }
    }
  },
};

/** An extension field is on an object where it has no meaning. */
export const misplacedExtensionsRule: LintRule<"extension/misplaced"> = {
  codes: { "extension/misplaced": ["error", "warning", "An extension field has no meaning on this object."] },
  *check(index) {
    for (const extension of index.extensions) {
      const { field, host, node } = extension;
      const { allowedOn } = findExtensionField(field);
      const form =
        allowedOn && !allowedOn.includes(host.type)
          ? {
              message: `${field} means nothing on ${describeObject(host.type)}.`,
              fix: `It stands on ${allowedOn.map(describeObject).join(", ")}.`,
            }
          : (findMisplacedForm(field, host.type, node) ?? pathFault(index, extension));
      if (form) yield { code: "extension/misplaced", at: node, ...form };
    }
  },
};

interface Misplacement {
  readonly message: string;
  readonly fix: string;
}

/** Checks the two fields that have two forms, each for other objects. */
function findMisplacedForm(field: ExtensionFieldName, type: string, spot: LintNode): Misplacement | undefined {
  const message = `This form of ${field} means nothing on ${describeObject(type)}.`;
  if (
    field === "x-scopes" &&
    (spot.has("areas") || spot.has("atMost")) &&
    spot.has("areas") !== (type === "SecurityScheme")
  ) {
    return { message, fix: "`areas` stands on a security scheme, `atMost` on a string property." };
  }
  if (field === "x-input" && (spot.has("segments") || spot.has("encodedSlash")) !== (type === "Parameter")) {
    const fix =
      "`segments` and `encodedSlash` stand on a path parameter, everything else on a request body or the root.";
    return { message, fix };
  }
  return undefined;
}

/** Routers read segments and their slashes in paths alone; an encoded slash only where a text is a complete segment. */
function pathFault(index: SpecIndex, { field, host, node }: Extension): Misplacement | undefined {
  if (field !== "x-input" || host.type !== "Parameter") return undefined;
  const parameter = host.node;
  if (parameter.text("in") !== "path") {
    return {
      message: "This form of x-input means nothing outside of paths.",
      fix: "Remove it, or write `in: path`.",
    };
  }
  if (!node.has("encodedSlash")) return undefined;
  const types = [parameter.get("schema")?.object["type"] ?? "string"].flat();
  if (!types.includes("string") || (parameter.text("style") ?? "simple") !== "simple") {
    return {
      message: "`encodedSlash` is not for this type or style.",
      fix: "Use it on a parameter of type string in the style simple, or remove it.",
    };
  }
  const paths = index.operations
    .filter((operation) => operation.parameters.some(({ key }) => key === parameter.key))
    .flatMap(({ path }) => path ?? []);
  const mixed = paths.find((path) => !path.split("/").includes(`{${parameter.text("name")}}`));
  if (mixed === undefined) return undefined;
  return {
    message: `\`encodedSlash\` has no effect in ${mixed}.`,
    fix: "Make the parameter a complete segment of the path, or remove `encodedSlash`.",
  };
}

const objectNames: Readonly<Record<string, string>> = {
  Root: "the root",
  Operation: "an operation",
  Schema: "a schema",
  Parameter: "a parameter",
  RequestBody: "a request body",
  Response: "a response",
  SecurityScheme: "a security scheme",
};

function describeObject(type: string): string {
  return ownValue(objectNames, type) ?? `an object of type ${type}`;
}
