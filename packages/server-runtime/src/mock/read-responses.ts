import { isObject, ownField } from "../http/index.js";
import type { BodyData, ItemData, ResponseData } from "./mock-data.js";
import type { BodyShape, DocumentedResponse, ItemVariant, MockResponse, SecretField } from "./mock-definition.js";
import { mapValues } from "./read-texts.js";

/** A response of success: how its body is composed. Samples that no resource explains are parts of the example. */
export function successResponse(response: ResponseData): MockResponse {
  const { status, when, body, headers = {}, example } = response;
  const mediaType = mediaTypeOf(response);
  return {
    status: statusNumber(status),
    ...(when && { when }),
    ...(mediaType !== undefined && { mediaType, body: readBody(body ?? { value: {} }, example) }),
    headers,
  };
}

/** `default` is 200 here: the mock has succeeded. */
function statusNumber(status: number | string): number {
  if (typeof status === "number") return status;
  return status === "default" ? 200 : Number(status[0]) * 100;
}

/** The responses by their statuses, `default` last. */
export function documentedResponses(responses: readonly ResponseData[]): Readonly<Record<string, DocumentedResponse>> {
  const ordered = responses.toSorted((a, b) => Number(a.status === "default") - Number(b.status === "default"));
  return Object.fromEntries(
    ordered.map((response) => {
      const { status, example, examples, sample = example, isExact } = response;
      const mediaType = mediaTypeOf(response);
      const documented = { mediaType, example, ...(examples && { examples }), sample };
      return [
        String(status),
        mediaType === undefined ? {} : { ...documented, ...(isExact && { isExact: true as const }) },
      ] as const;
    }),
  );
}

function mediaTypeOf({ mediaType, example }: ResponseData): string | undefined {
  return mediaType ?? (example === undefined ? undefined : "application/json");
}

function readBody(body: BodyData, sample: unknown): BodyShape {
  if (typeof body === "string") return { kind: "object", resource: body };
  if ("nullable" in body) return { kind: "object", resource: body.nullable, isNullable: true };
  if ("items" in body) return { kind: "objects", variants: body.items.map(readItem) };
  if ("fields" in body) {
    const fields = mapValues(body.fields, (field, name) =>
      readBody(field, isObject(sample) ? (ownField(sample, name) ?? null) : null),
    );
    return { kind: "fields", sample, fields };
  }
  if ("grants" in body) return { kind: "grants", sample };
  if ("address" in body) return { kind: "address", operation: body.address };
  return { kind: "value", sample, ...body.value, secrets: readSecrets(body.value.secrets ?? {}) };
}

function readItem(item: ItemData): ItemVariant {
  if (typeof item === "string") return { resource: item };
  return { resource: item.resource, within: { field: item.within, sample: item.sample } };
}

/** Reads the lengths of secret fields by their names. */
export function readSecrets(lengths: Readonly<Record<string, number>>): readonly SecretField[] {
  return Object.entries(lengths).map(([name, length]) => ({ pointer: [name], length }));
}
