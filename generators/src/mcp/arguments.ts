import {
  type Api,
  findJsonContent,
  type MediaTypeObject,
  mediaKind,
  type Operation,
  type Parameter,
  type ParameterLocation,
} from "@plumbline/kit/model";
import type { ArgumentLocation, ObjectSchema } from "@plumbline/mcp-runtime";
import { inputSchema, type JsonSchema, parameterSchema } from "./input-schemas.js";
import { describeListParameter } from "./list-arguments.js";

/** The arguments of a tool: the parameters by name, and `body`. */
export interface ToolArguments {
  readonly arguments: Readonly<Record<string, ArgumentLocation>>;
  readonly contentType?: string;
  readonly inputSchema: ObjectSchema;
}

const places = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const satisfies Record<
  ParameterLocation,
  ArgumentLocation["in"]
>;

/** Names that the runtime uses itself. */
const reservedNames = ["body", "confirm"];

export function toolArguments(api: Api, operation: Operation): ToolArguments {
  const names = argumentNames(operation.parameters);
  const inputs = operation.parameters.map((parameter, index) => ({ parameter, name: names[index] ?? parameter.name }));
  const body = operation.requestBody;
  const content = bodyContent(operation);
  const properties: Record<string, JsonSchema> = Object.fromEntries(
    inputs.map(({ parameter, name }) => {
      const schema = parameterSchema(api, parameter);
      const about = describeListParameter(api, operation, parameter);
      if (about === undefined) return [name, schema] as const;
      const { description } = schema;
      return [
        name,
        { ...schema, description: typeof description === "string" ? `${description} ${about}` : about },
      ] as const;
    }),
  );
  if (body !== undefined && content !== undefined)
    properties["body"] =
      mediaKind(content.mediaType) === "text" ? { type: "string" } : inputSchema(api, content.schema, body.description);
  const required = [
    ...inputs.filter(({ parameter }) => parameter.required).map(({ name }) => name),
    ...(body?.required === true ? ["body"] : []),
  ];
  return {
    arguments: Object.fromEntries(
      inputs.map(({ parameter, name }) => [name, { in: places[parameter.in], name: parameter.name }] as const),
    ),
    ...((body?.contents.length ?? 0) > 1 && content !== undefined ? { contentType: content.mediaType } : {}),
    inputSchema: {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
  };
}

/** The content of a body that a model can write. Undefined if there is none, or no body. */
export function bodyContent({ requestBody }: Operation): MediaTypeObject | undefined {
  const contents = requestBody?.contents ?? [];
  return findJsonContent(contents) ?? contents.find(({ mediaType }) => ["form", "text"].includes(mediaKind(mediaType)));
}

/** Clients allow letters, digits, `_`, `.` and `-`, and at most 64 of them. */
function argumentNames(parameters: readonly Parameter[]): readonly string[] {
  const usedNames = new Set(reservedNames);
  return parameters.map(({ name, in: place }) => {
    const allowed =
      name
        .replaceAll(/[^\w.-]+/g, "_")
        .replaceAll(/^_+|_+$/g, "")
        .slice(0, 50) || place;
    const choices = [allowed, `${allowed}_${place}`];
    const chosen = choices.find((each) => !usedNames.has(each)) ?? `${allowed}_${usedNames.size}`;
    usedNames.add(chosen);
    return chosen;
  });
}
