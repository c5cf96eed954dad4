import { itemFormat, maxTestedItems, maxTestedLength, mediaTypeEssence } from "../../../model/index.js";
import type { LintNode } from "../lint-node.js";
import type { LintFinding, LintRule } from "../rule.js";

/** Security schemes that a request cannot carry. */
export const unsupportedSecurityRule: LintRule<"unsupported/security"> = {
  codes: { "unsupported/security": ["warning", "warning", "A generated client does not support a security scheme."] },
  *check(index) {
    for (const [, each] of index.root.get("components")?.get("securitySchemes")?.entries() ?? []) {
      const scheme = each.follow();
      if (scheme === undefined) continue;
      const name = scheme.text("scheme")?.toLowerCase() ?? "";
      if (scheme.text("type") === "mutualTLS") {
        const message = "A client certificate belongs to the connection, which a generated client does not open.";
        yield createFinding(
          "unsupported/security",
          scheme,
          message,
          'Give the client a "fetch" that has the certificate.',
        );
      } else if (scheme.text("type") === "http" && name !== "basic" && name !== "bearer") {
        const message = `The scheme "${name}" takes an exchange of its own, which a generated client does not make.`;
        yield createFinding("unsupported/security", scheme, message, 'Give the client an "authorize" that does.');
      }
    }
  },
};

/** Operations with other servers than the API. */
export const unsupportedServersRule: LintRule<"unsupported/servers"> = {
  codes: { "unsupported/servers": ["warning", "warning", "An operation has servers of its own."] },
  *check(index) {
    const paths = (index.root.get("paths")?.entries() ?? []).flatMap(([, item]) => item.follow() ?? []);
    const operations = index.operations.filter((each) => each.path !== undefined).map((each) => each.node);
    for (const holder of [...paths, ...operations]) {
      const servers = holder.child("servers");
      const [address] = servers?.items() ?? [];
      if (servers === undefined || address === undefined) continue;
      const message = `This operation has the server "${address.text("url") ?? ""}", which a client does not use by default.`;
      yield createFinding("unsupported/servers", servers, message, 'Give such calls that address as "baseUrl".');
    }
  },
};

/** Media types with another schema than the preferred one. */
export const unsupportedContentsRule: LintRule<"unsupported/content"> = {
  codes: { "unsupported/content": ["warning", "warning", "A media type is ignored."] },
  *check(index) {
    for (const { path, body, responses } of index.operations) {
      if (path === undefined) continue;
      for (const { spot } of [...(body === undefined ? [] : [{ spot: body }]), ...responses])
        yield* findRepeatedMediaTypes(spot.child("content"));
      const successes = responses.filter(({ status }) => status.startsWith("2")).map(({ spot }) => spot);
      for (const holder of [...(body === undefined ? [] : [body]), ...successes]) {
        const contents = holder.child("content")?.entries() ?? [];
        // The caller chooses the media type of a body. A range does not say what would be sent.
        const chosen = holder === body ? contents.filter(([mediaType]) => !mediaType.includes("*")) : [];
        const used = chosen[0] ?? contents.find(([mediaType]) => isJson(mediaType)) ?? contents[0];
        const others = contents.filter(
          ([mediaType]) => mediaTypeEssence(mediaType) !== mediaTypeEssence(used?.[0] ?? ""),
        );
        const lost = others
          .filter((each) => !chosen.includes(each) && schemaOf(each[1]) !== schemaOf(used?.[1]))
          .map(([mediaType]) => mediaType);
        const at = holder.child("content");
        if (used === undefined || at === undefined || lost.length === 0) continue;
        const names = chosen.length > 1 ? chosen.map(([mediaType]) => mediaType).join(" or ") : used[0];
        const message = `Of these, a client ${holder === body ? "sends" : "reads"} ${names} only, not ${lost.join(" or ")}, which has another schema.`;
        yield createFinding(
          "unsupported/content",
          at,
          message,
          "To use another one, leave only that, in an overlay where you cannot edit the description.",
        );
      }
    }
  },
};

/** Media types that differ from another one in parameters only. */
function* findRepeatedMediaTypes(contents: LintNode | undefined): Iterable<LintFinding<"unsupported/content">> {
  const all = contents?.entries() ?? [];
  for (const [name, at] of all) {
    const plain = mediaTypeEssence(name);
    const same = all.filter(([other]) => mediaTypeEssence(other) === plain);
    const [used, content] = same.find(([other]) => other === plain) ?? same[0] ?? [];
    if (used === undefined || used === name || schemaOf(at) === schemaOf(content)) continue;
    const message = `Parameters of a media type do not select a schema: the schema of "${used}" is used, not that of "${name}".`;
    yield createFinding("unsupported/content", at, message, "Describe both by one schema, such as an anyOf.");
  }
}

/** Parts of an encoding that are not supported. */
export const unsupportedEncodingsRule: LintRule<"unsupported/encoding"> = {
  codes: { "unsupported/encoding": ["warning", "warning", "An encoding of a form is not supported."] },
  *check(index) {
    for (const { path, body } of index.operations) {
      if (path === undefined) continue;
      for (const [mediaType, content] of body?.child("content")?.entries() ?? []) {
        const media = content.follow();
        for (const [name, encoding] of media?.get("encoding")?.entries() ?? []) {
          const message = findEncodingIssue(encoding, mediaType, fieldOf(media?.get("schema"), name));
          if (message !== undefined) yield createFinding("unsupported/encoding", encoding, message);
        }
      }
    }
  },
};

/** JSON Schema keywords that name or interpret schemas differently from OpenAPI. */
export const unsupportedKeywordsRule: LintRule<"unsupported/keyword"> = {
  codes: { "unsupported/keyword": ["error", "warning", "A keyword of JSON Schema is not supported."] },
  *check(index) {
    const fix = "Name the schema under components/schemas, and refer to it there.";
    const schemas = index.hosts.filter((host) => host.type === "Schema").map((host) => host.node);
    for (const schema of schemas) {
      for (const key of ["$id", "$anchor", "$dynamicRef", "$dynamicAnchor"]) {
        const at = schema.child(key);
        if (typeof at?.value === "string")
          yield createFinding("unsupported/keyword", at, `"${key}" is not followed.`, fix);
      }
    }
    for (const at of [index.root.child("jsonSchemaDialect"), ...schemas.map((schema) => schema.child("$schema"))]) {
      if (typeof at?.value !== "string" || knownDialect.test(at.value)) continue;
      const message = `Schemas are read as JSON Schema 2020-12, not as "${at.value}".`;
      yield createFinding("unsupported/keyword", at, message, "Write them in that dialect, which is OpenAPI's own.");
    }
  },
};

/** Streams whose items neither clients nor servers know. */
export const unsupportedItemsRule: LintRule<"unsupported/items"> = {
  codes: { "unsupported/items": ["warning", "warning", "Items of a stream are not checked."] },
  *check(index) {
    for (const { path, body, responses } of index.operations) {
      if (path === undefined) continue;
      for (const { spot, isResponse } of [
        ...(body === undefined ? [] : [{ spot: body, isResponse: false }]),
        ...responses.map((response) => ({ spot: response.spot, isResponse: true })),
      ]) {
        for (const [mediaType, content] of spot.child("content")?.entries() ?? []) {
          const at = content.follow()?.child("itemSchema");
          if (at === undefined || (isResponse && itemFormat(mediaTypeEssence(mediaType)) !== undefined)) continue;
          const message = `The items of ${isResponse ? "" : "a request of "}"${mediaType}" are sent and read as bytes, and not checked.`;
          yield createFinding("unsupported/items", at, message, "Check them in your own code.");
        }
      }
    }
  },
};

/** Constructs of OpenAPI 3.2 whose omission would change the meaning. */
export const unsupportedConstructsRule: LintRule<"unsupported/construct"> = {
  codes: { "unsupported/construct": ["error", "warning", "A construct of OpenAPI 3.2 is not supported."] },
  *check(index) {
    for (const { type, node } of [{ type: "Root", node: index.root }, ...index.hosts]) {
      for (const key of Object.hasOwn(constructs, type) ? (constructs[type] ?? []) : []) {
        const at = node.child(key);
        if (at === undefined) continue;
        const { effect, fix } = constructEffects[key] ?? {};
        yield createFinding("unsupported/construct", at, `"${key}" of OpenAPI 3.2 is ignored${effect}.`, fix);
      }
      if (type === "Parameter" && node.text("in") === "querystring")
        yield createFinding(
          "unsupported/construct",
          node,
          'A parameter "in: querystring" of OpenAPI 3.2 is ignored: the request has no such parameter.',
          'Describe its fields as parameters "in: query", for instance in an overlay.',
        );
    }
  },
};

/** Bounds of which no suite builds a value. */
export const untestedBoundsRule: LintRule<"conformance/bound-too-large"> = {
  codes: {
    "conformance/bound-too-large": [
      "off",
      "warning",
      "A suite does not test a bound, because a value of that size is larger than a megabyte.",
    ],
  },
  *check({ hosts }) {
    for (const { node, type } of hosts) {
      if (type !== "Schema") continue;
      for (const [key, most] of Object.entries(largest)) {
        const at = node.child(key);
        if (typeof at?.value !== "number" || at.value <= most) continue;
        yield {
          code: "conformance/bound-too-large",
          at,
          message: `A conformance suite does not test this bound, because it builds no value larger than a megabyte.`,
          fix: "To have it tested, state a smaller bound, in an overlay where you cannot edit the description.",
        };
      }
    }
  },
};

const largest = {
  minLength: maxTestedLength,
  maxLength: maxTestedLength,
  minItems: maxTestedItems,
  maxItems: maxTestedItems,
} as const;

const constructs: Readonly<Record<string, readonly string[]>> = {
  Root: ["$self"],
  PathItem: ["additionalOperations"],
  MediaType: ["itemEncoding", "prefixEncoding"],
  Discriminator: ["defaultMapping"],
};

interface ConstructEffect {
  /** The end of the sentence that says that it is ignored. */
  readonly effect: string;
  readonly fix: string;
}

const ignoredEncoding: ConstructEffect = {
  effect: ": the parts of the body are sent and read as bytes",
  fix: 'Describe named parts with "schema" and "encoding", for instance in an overlay.',
};

const constructEffects: Readonly<Record<string, ConstructEffect>> = {
  $self: {
    effect: ": references are relative to the file",
    fix: "Write references relative to the file, and remove it, for instance in an overlay.",
  },
  additionalOperations: {
    effect: ": its operations are left out",
    fix: "Use another method, for instance in an overlay.",
  },
  itemEncoding: ignoredEncoding,
  prefixEncoding: ignoredEncoding,
  defaultMapping: {
    effect: ": a value without a known discriminator matches no branch",
    fix: "Make the discriminator required, and map each of its values, for instance in an overlay.",
  },
};

const knownDialect =
  /^https:\/\/(spec\.openapis\.org\/oas\/3\.[12]\/dialect\/|json-schema\.org\/draft\/2020-12\/schema)/;

function createFinding<Code extends string>(
  code: Code,
  at: LintNode,
  message: string,
  fix?: string,
): LintFinding<Code> {
  return { code, at, message, fix };
}

function isJson(mediaType: string): boolean {
  return /^(application|text)\/([^/;]+\+)?json\s*(;|$)|^(application|\*)\/\*/i.test(mediaType);
}

function schemaOf(content: LintNode | undefined): string {
  return JSON.stringify(content?.follow()?.child("schema")?.value) ?? "";
}

function fieldOf(schema: LintNode | undefined, name: string): LintNode | undefined {
  const field = schema?.get("properties")?.get(name);
  return field?.text("type") === "array" ? field.get("items") : field;
}

function findEncodingIssue(encoding: LintNode, mediaType: string, field: LintNode | undefined): string | undefined {
  const contentType = encoding.text("contentType");
  if (/^application\/x-www-form-urlencoded/i.test(mediaType)) {
    if (encoding.object["allowReserved"] === true) return "Reserved characters of a form are encoded anyway.";
    const asUsual = contentType === "application/json" && field?.text("type") === "object";
    return contentType === undefined || asUsual ? undefined : `A field of a form is not written as ${contentType}.`;
  }
  return undefined;
}
