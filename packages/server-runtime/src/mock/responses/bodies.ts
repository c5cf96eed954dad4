import { isArray, isJson, isObject, ownField, safeAssign } from "../../http/index.js";
import { grantsOf } from "../access/grants.js";
import { listObjects, pageOf, type PageOfItems } from "../lists/lists.js";
import type { BodyShape, ItemVariant, MockList } from "../mock-definition.js";
import { documentKey } from "../objects/documents.js";
import { targetObject, type MockRequest } from "../objects/evaluation.js";
import { viewOf } from "../objects/objects.js";
import { copyOf, withValueAt } from "../objects/values.js";
import type { StoredObject, Values } from "../store/stored-object.js";

/** A body of another media type than JSON is a text. */
export function bodyOf(mediaType: string | undefined, value: unknown): unknown {
  return typeof value === "string" || mediaType === undefined || isJson(mediaType) ? value : JSON.stringify(value);
}

/** The body of a response of success. */
export function composeBody(request: MockRequest, shape: BodyShape, subject: StoredObject | undefined): unknown {
  return new BodyComposer(request, subject).compose(shape);
}

class BodyComposer {
  readonly #request: MockRequest;
  readonly #subject: StoredObject | undefined;
  /** True once a part of the body is not explained by the state. */
  #usesExample = false;

  constructor(request: MockRequest, subject: StoredObject | undefined) {
    this.#request = request;
    this.#subject = subject;
  }

  compose(shape: BodyShape): unknown {
    const body = this.#compose(shape);
    if (this.#usesExample) this.#request.mock.exampleResponses.add(this.#request.requestId);
    return body;
  }

  #compose(shape: BodyShape): unknown {
    switch (shape.kind) {
      case "object":
        return this.#object(shape);
      case "objects":
        return this.#page(shape.variants).items;
      case "fields":
        return this.#fields(shape);
      case "grants":
        return this.#grants(shape.sample);
      case "address":
        return this.#address(shape.operation);
      case "value":
        return this.#value(shape);
    }
  }

  #object({ resource, isNullable }: Extract<BodyShape, { readonly kind: "object" }>): unknown {
    const { mock, created } = this.#request;
    const candidates = [this.#subject, ...created.toReversed(), targetObject(this.#request)];
    const candidate = candidates.find((each) => each?.resource === resource);
    const object = candidate && (mock.store.get(candidate.key) ?? candidate);
    if (object !== undefined) return viewOf(mock, object);
    if (isNullable === true) return null;
    this.#usesExample = true;
    return copyOf(mock.definition.resources[resource]?.initial);
  }

  #page(variants: readonly ItemVariant[]): PageOfItems<unknown> {
    const resources = variants.map(({ resource }) => resource);
    const list: MockList = this.#request.operation.list ?? {
      resources,
      defaultSize: Number.POSITIVE_INFINITY,
      filterFields: {},
      queryFields: [],
      referring: {},
    };
    const page = listObjects(this.#request, { ...list, resources });
    this.#request.next = page.next;
    const items = page.items.map(({ resource, values }) => {
      const within = variants.find((each) => each.resource === resource)?.within;
      return within === undefined ? values : withValueAt(asValues(copyOf(within.sample)), [within.field], values);
    });
    return { ...page, items };
  }

  #fields({ sample, fields }: Extract<BodyShape, { readonly kind: "fields" }>): unknown {
    const body = { ...asValues(copyOf(sample)) };
    const { list } = this.#request.operation;
    for (const [field, shape] of Object.entries(fields)) {
      if (shape.kind !== "objects" || list?.envelope?.items !== field) {
        safeAssign(body, field, this.#compose(shape));
        continue;
      }
      Object.assign(body, envelopeValues(list, this.#page(shape.variants)));
    }
    const place = list?.cursor?.next;
    if (place?.in !== "body") return body;
    const last = place.isNullable === true ? null : undefined;
    return withValueAt(body, place.pointer, this.#request.next ?? last);
  }

  #grants(sample: unknown): unknown {
    const { mock, caller } = this.#request;
    if (caller === undefined) return sample;
    const { namedGrants } = mock.definition.callers;
    const grants = grantsOf(mock, caller);
    const body = asValues(copyOf(sample));
    const empty = Object.fromEntries(Object.keys(body).map((field) => [field, []]));
    // A named grant is true or false, or a level that may be null.
    const named = Object.entries(asValues(body[namedGrants])).map(([name, value]) => [
      name,
      typeof value === "boolean" ? false : null,
    ]);
    return {
      ...empty,
      ...grants,
      [namedGrants]: { ...Object.fromEntries(named), ...asValues(ownField(grants, namedGrants)) },
    };
  }

  #address(operation: string): string {
    const { mock } = this.#request;
    const key = this.#subject?.key ?? targetObject(this.#request)?.key ?? 0;
    return `${mock.origin ?? "http://mock.invalid"}/mock/${operation}/${key}-${mock.random.hex(16)}`;
  }

  /**
   * The example, with what clients sent and values of the object in place of its parts. What cannot be composed again is kept, for the object or
   * the caller: documents that clients write, and secrets.
   */
  #value({ sample, secrets, echoed = [], isEcho }: Extract<BodyShape, { readonly kind: "value" }>): unknown {
    const { mock, name, body, operation, caller } = this.#request;
    const target = this.#subject ?? targetObject(this.#request);
    const key = documentKey(operation.document ?? name, target, caller);
    const stored = mock.store.document(key);
    const isRead = operation.role === "read" || operation.role === "list";
    if (stored !== undefined && isRead) return this.#pageOf(stored);
    if (!isObject(sample)) {
      if (isEcho === true && body !== undefined) return copyOf(body);
      this.#usesExample = sample !== undefined;
      return this.#pageOf(copyOf(sample));
    }
    const sources = [body, target?.values].filter(isObject);
    let isKnown = true;
    const isPatch = operation.document !== undefined && operation.method === "PATCH";
    let composed: Values = asValues(copyOf(isPatch ? (stored ?? sample) : sample));
    for (const [field, example] of Object.entries(sample)) {
      const value = sources.map((each) => ownField(each, field)).find((each) => isLike(each, example));
      if (isArray(value) && isArray(example) && isObject(example[0])) {
        const [item] = example;
        composed = withValueAt(
          composed,
          [field],
          value.map((each) => (isObject(each) ? { ...item, ...each } : each)),
        );
        continue;
      }
      if (value === undefined) isKnown = false;
      else composed = withValueAt(composed, [field], value);
    }
    for (const field of echoed) {
      const sent = isObject(body) ? ownField(body, field) : undefined;
      if (sent !== undefined) composed = withValueAt(composed, [field], copyOf(sent));
    }
    if (isEcho === true && isObject(body)) composed = { ...composed, ...copyOf(body) };
    for (const { pointer, length } of secrets) composed = withValueAt(composed, pointer, mock.random.hex(length));
    if (!isKnown) this.#usesExample = true;
    if (isRead ? secrets.length > 0 : operation.document !== undefined) mock.store.setDocument(key, composed);
    return this.#pageOf(composed);
  }

  /** One page of a list whose items the mock does not know. */
  #pageOf(value: unknown): unknown {
    const { list } = this.#request.operation;
    if (list === undefined || list.resources.length > 0) return value;
    const { input } = this.#request;
    if (isArray(value)) return pageOf(input, list, value).items;
    const items = list.envelope && isObject(value) ? ownField(value, list.envelope.items) : undefined;
    return isArray(items) ? { ...asValues(value), ...envelopeValues(list, pageOf(input, list, items)) } : value;
  }
}

/** The fields of an envelope for a page. */
function envelopeValues({ envelope }: MockList, { items, page, pages, total }: PageOfItems<unknown>): Values {
  if (envelope === undefined) return {};
  return {
    [envelope.items]: items,
    ...(envelope.page === undefined ? {} : { [envelope.page]: page }),
    ...(envelope.pages === undefined ? {} : { [envelope.pages]: pages }),
    ...(envelope.total === undefined ? {} : { [envelope.total]: total }),
  };
}

function isLike(value: unknown, example: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value === typeof example && isArray(value) === isArray(example);
}

function asValues(value: unknown): Values {
  return isObject(value) ? value : {};
}
