import { type Api, type MediaTypeObject, type Schema, visitSubschemas, memoize } from "../../model/index.js";

/** The types of binary data: `Blob` in parts of a form, `string` in JSON. */
export type BinaryTypes = readonly ("Blob" | "string")[];

/** True if a string stands for binary data. OpenAPI 3.0 uses `format: binary`, 3.1 a media type that is not text. */
export function isBinary(schema: Schema): boolean {
  return (
    schema.format === "binary" ||
    (schema.contentEncoding === undefined && binaryTypes.test(schema.contentMediaType ?? ""))
  );
}

const binaryTypes =
  /^(application\/(octet-stream|pdf|zip|gzip|msword|vnd\.[^+]*|x-(7z|bzip|gzip|rar|tar|zip)[^+]*)|(image\/(?!svg)|audio\/|video\/|font\/).*)$/;

/** The type of binary data in each named schema, by the media types that use it. */
export class BinaryTypesByName {
  readonly #parts: ReadonlySet<string>;
  readonly #texts: ReadonlySet<string>;

  constructor({ operations, operationsWithoutPath, schemas }: Api) {
    const contents = [...operations, ...operationsWithoutPath].flatMap(({ requestBody, responses }) => [
      ...(requestBody?.contents ?? []),
      ...responses.flatMap((response) => response.contents),
    ]);
    const index = new Map(schemas.map((each) => [each.name, each.schema] as const));
    this.#parts = reachableNames(contents.filter(isMultipart), index);
    this.#texts = reachableNames(
      contents.filter((content) => !isMultipart(content) && isText(content)),
      index,
    );
  }

  of(name: string): BinaryTypes {
    if (!this.#texts.has(name)) return ["Blob"];
    return this.#parts.has(name) ? ["Blob", "string"] : ["string"];
  }
}

/** Memoized by API. */
export const binaryTypesByName: (api: Api) => BinaryTypesByName = memoize((api) => new BinaryTypesByName(api));

function isMultipart({ mediaType }: MediaTypeObject): boolean {
  return mediaType.startsWith("multipart/");
}

function isText({ mediaType }: MediaTypeObject): boolean {
  return /[/+]json$|\*$|x-www-form-urlencoded$/.test(mediaType);
}

function reachableNames(contents: readonly MediaTypeObject[], index: ReadonlyMap<string, Schema>): ReadonlySet<string> {
  const names = new Set<string>();
  const pending = contents.map((content) => content.schema);
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    visitSubschemas(schema, ({ ref }) => {
      const target = ref === undefined || names.has(ref) ? undefined : index.get(ref);
      if (ref === undefined || target === undefined) return;
      names.add(ref);
      pending.push(target);
    });
  }
  return names;
}
