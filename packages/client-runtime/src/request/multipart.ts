import type { RequestEncoder } from "../operation.js";
import { setBody } from "./bodies.js";
import { hasProperties, ownProperty, scalarToText } from "./parameters.js";
import { rejectUnsendable } from "./reject-unsendable.js";

const partSymbol: unique symbol = Symbol.for("plumbline/part");

/** A part of a multipart body with headers of its own. */
export interface Part<T> {
  readonly [partSymbol]: true;
  readonly value: T;
  readonly options: PartOptions;
}

export interface PartOptions {
  /** Default: the media type that the description has for this part, or that of the file. */
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** A body in which some parts may have headers. */
export type WithParts<T, Names extends string> = {
  [Name in keyof T]: Name extends Names ? T[Name] | Part<NonNullable<T[Name]>> : T[Name];
};

/**
 * Adds headers to a part of a multipart body.
 *
 * @example
 * await createPet(client, { contentType: "multipart/form-data", body: { photo: part(photo, { headers: { "X-Size": 5 } }) } });
 */
export function part<T>(value: T, options: PartOptions): Part<T> {
  return { [partSymbol]: true, value, options };
}

/**
 * Encodes the body like `multipartBody`, with media types for some parts, and headers for those that are a `part`. `FormData` can express neither.
 *
 * @param types the media type of a part, by its name
 * @param toJson writes the values of parts that are JSON. Default: `JSON.stringify`
 */
export function multipartBodyWith(
  types: Readonly<Record<string, string>>,
  toJson?: (value: unknown) => string | undefined,
): RequestEncoder {
  return (request, { body }) => {
    if (body === undefined) return;
    request.headers.delete("content-type");
    if (body instanceof FormData) return setBody(request, body);
    const form = multipartBlob(body as object, types, toJson);
    request.headers.set("content-type", form.type);
    setBody(request, form);
  };
}

/** Encodes fields as `multipart/form-data`, whose boundary is in the type of the result. */
export function multipartBlob(
  fields: object,
  types: Readonly<Record<string, string>>,
  toJson: (value: unknown) => string | undefined = JSON.stringify,
): Blob {
  const boundary = `----${crypto.randomUUID()}`;
  const pieces: BlobPart[] = [];
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value])
      if (each != null)
        pieces.push(...partOf(name, each, { boundary, toJson, type: ownProperty<string>(types, name) }));
  return new Blob([...pieces, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}

function partOf(
  name: string,
  given: unknown,
  {
    boundary,
    type,
    toJson,
  }: {
    readonly boundary: string;
    readonly type: string | undefined;
    readonly toJson: (value: unknown) => string | undefined;
  },
): BlobPart[] {
  const { value, options } = isPart(given) ? given : { value: given, options: {} as PartOptions };
  const bytes = value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? new Blob([value as BlobPart]) : value;
  const file = bytes instanceof Blob ? bytes : undefined;
  const isJson = hasProperties(value) || /[/+]json\b/.test(options.contentType ?? type ?? "");
  const text = file ? undefined : isJson ? toJson(value) : scalarToText(name, value);
  const fileName = file instanceof File ? file.name : "blob";
  const contentType = options.contentType ?? (file?.type || type) ?? (file && "application/octet-stream");
  const lines: Readonly<Record<string, string | number | boolean>> = {
    "Content-Disposition": `form-data; name="${quoted(name)}"${file ? `; filename="${quoted(fileName)}"` : ""}`,
    ...(contentType && { "Content-Type": contentType }),
    ...options.headers,
  };
  const head = Object.entries(lines).map(([key, each]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(key) || /[\r\n\0]/.test(String(each))) rejectUnsendable(`header of ${name}`);
    return `${key}: ${String(each)}\r\n`;
  });
  return [`--${boundary}\r\n${head.join("")}\r\n`, file ?? (text as string), "\r\n"];
}

export function isPart(value: unknown): value is Part<unknown> {
  return hasProperties(value) && partSymbol in value;
}

function quoted(text: string): string {
  return text.replace(/\r\n?|\n/g, "%0D%0A").replaceAll('"', "%22");
}
