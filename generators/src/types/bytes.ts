import type { Api, Content, Shape } from "../model/api.js";
import { visit } from "../model/forms.js";
import { once } from "../model/once.js";

/** The types of binary data: `Blob` in parts of a form, `string` in JSON. */
export type Bytes = readonly ("Blob" | "string")[];

/** True if a string stands for binary data. OpenAPI 3.0 uses `format: binary`, 3.1 a media type that is not text. */
export function isBinary(shape: Shape): boolean {
  return (
    shape.format === "binary" || (shape.contentEncoding === undefined && binaryTypes.test(shape.contentMediaType ?? ""))
  );
}

const binaryTypes = /^(application\/(octet-stream|pdf|zip|gzip)|(image\/(?!svg)|audio\/|video\/|font\/).*)$/;

/** The type of binary data in each named schema, by the media types that use it. */
export class BytesByName {
  readonly #parts: ReadonlySet<string>;
  readonly #texts: ReadonlySet<string>;

  constructor({ operations, linked, shapes }: Api) {
    const contents = [...operations, ...linked].flatMap(({ body, replies }) => [
      ...(body?.contents ?? []),
      ...replies.flatMap((reply) => reply.contents),
    ]);
    const index = new Map(shapes.map((each) => [each.name, each.shape] as const));
    this.#parts = reached(contents.filter(isMultipart), index);
    this.#texts = reached(
      contents.filter((content) => !isMultipart(content) && isText(content)),
      index,
    );
  }

  of(name: string): Bytes {
    if (!this.#texts.has(name)) return ["Blob"];
    return this.#parts.has(name) ? ["Blob", "string"] : ["string"];
  }
}

/** Memoized by API. */
export const bytesByName: (api: Api) => BytesByName = once((api) => new BytesByName(api));

function isMultipart({ mediaType }: Content): boolean {
  return mediaType.startsWith("multipart/");
}

function isText({ mediaType }: Content): boolean {
  return /[/+]json$|\*$|x-www-form-urlencoded$/.test(mediaType);
}

function reached(contents: readonly Content[], index: ReadonlyMap<string, Shape>): ReadonlySet<string> {
  const names = new Set<string>();
  const pending = contents.map((content) => content.shape);
  for (let shape = pending.pop(); shape !== undefined; shape = pending.pop()) {
    visit(shape, ({ ref }) => {
      const named = ref === undefined || names.has(ref) ? undefined : index.get(ref);
      if (ref === undefined || named === undefined) return;
      names.add(ref);
      pending.push(named);
    });
  }
  return names;
}
