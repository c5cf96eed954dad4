import { editDistance, nearest } from "../nearest.js";
import type { Finding, Rule } from "../rule.js";
import type { Spot } from "../spot.js";
import type { Extension, Survey } from "../survey.js";
import { fieldNames, fieldOf, isFieldName, type FieldName } from "../vocabulary.js";

/** An `x-` key resembles an extension field. The OpenAPI linter accepts any `x-` key. */
export const unknownExtensions: Rule = function* (survey, { profile }) {
  const known = new Map<string, string | undefined>();
  for (const { spot } of survey.hosts) {
    for (const name of Object.keys(spot.object)) {
      if (!name.startsWith("x-") || isFieldName(name)) continue;
      const distance = profile === "foreign" ? 2 : Math.max(3, Math.floor(name.length / 3));
      const meant = known.has(name) ? known.get(name) : nearest(name, fieldNames, distance);
      known.set(name, meant);
      // Vendors have their own extensions: report only names that resemble one of the vocabulary.
      if (profile === "foreign" && (meant === undefined || editDistance(name, meant) > 2)) continue;
      const fix = meant === undefined ? `The vocabulary has ${fieldNames.join(", ")}.` : `Did you mean "${meant}"?`;
      yield {
        code: "extension/unknown",
        at: spot.at([name]),
        message: `"${name}" is not an extension field of the vocabulary.`,
        fix,
      };
    }
  }
};

/** A key or a value inside an extension field is invalid. */
export const extensionShapes: Rule = function* (survey) {
  for (const { field, spot, reading } of survey.extensions) {
    for (const { path, message, fix } of reading.faults) {
      yield {
        code: "extension/shape",
        at: spot.at(path),
        message: `${field}: ${message}`,
        ...(fix !== undefined && { fix }),
      };
    }
  }
};

/** An extension field is on an object where it has no meaning. */
export const extensionPlaces: Rule = function* (survey) {
  for (const extension of survey.extensions) {
    const { field, host, spot } = extension;
    const { places } = fieldOf(field);
    const form =
      places && !places.includes(host.type)
        ? {
            message: `${field} means nothing on ${plain(host.type)}.`,
            fix: `It stands on ${places.map(plain).join(", ")}.`,
          }
        : (formFault(field, host.type, spot) ?? pathFault(survey, extension));
    if (form) yield { code: "extension/place", at: spot, ...form };
  }
};

/** Checks the two fields that have two forms, each for other objects. */
function formFault(field: FieldName, type: string, spot: Spot): Pick<Finding, "message" | "fix"> | undefined {
  const message = `This form of ${field} means nothing on ${plain(type)}.`;
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
function pathFault(survey: Survey, { field, host, spot }: Extension): Pick<Finding, "message" | "fix"> | undefined {
  if (field !== "x-input" || host.type !== "Parameter") return undefined;
  const parameter = host.spot;
  if (parameter.text("in") !== "path") {
    return {
      message: "This form of x-input means nothing outside of paths.",
      fix: "Remove it, or write `in: path`.",
    };
  }
  if (!spot.has("encodedSlash")) return undefined;
  const types = [parameter.get("schema")?.object["type"] ?? "string"].flat();
  if (!types.includes("string") || (parameter.text("style") ?? "simple") !== "simple") {
    return {
      message: "`encodedSlash` is not for this type or style.",
      fix: "Use it on a parameter of type string in the style simple, or remove it.",
    };
  }
  const paths = survey.operations
    .filter((operation) => operation.parameters.some(({ key }) => key === parameter.key))
    .flatMap(({ path }) => path ?? []);
  const mixed = paths.find((path) => !path.split("/").includes(`{${parameter.text("name")}}`));
  if (mixed === undefined) return undefined;
  return {
    message: `\`encodedSlash\` has no effect in ${mixed}.`,
    fix: "Make the parameter a complete segment of the path, or remove `encodedSlash`.",
  };
}

const names: Readonly<Record<string, string>> = {
  Root: "the root",
  Operation: "an operation",
  Schema: "a schema",
  Parameter: "a parameter",
  RequestBody: "a request body",
  Response: "a reply",
  SecurityScheme: "a security scheme",
};

function plain(type: string): string {
  return names[type] ?? `an object of type ${type}`;
}
