import * as fc from "fast-check";
import { languageNames } from "../adversarial-names.js";

/** Names that descriptions have in practice, and that generated code has too, or cannot have. */
const troublesome =
  `Pet PetBody PetInput petBody pet_body pet-body Pet.body PetRequest PetResponse checkPet CheckPet normalizePet serializePet
  createClient Client ClientOptions createServer Server Handlers Context Request Response Headers Body Query Path Params Result Scope Scopes
  Credentials Issue Validator Error ApiError Schema Schemas Operation Operations Model Models Types Index index gen main data suite
  1Foo 2 _ __ $ $id foo.bar foo-bar fooBar FooBar foo_bar FOO_BAR foo..bar -foo foo- Foo1 日本 取得 été Ünïcode naïve type types kind value
  default get list delete create update new class enum null true undefined NaN Infinity arguments eval await async Record Promise Map Set Date
  Array Object String Number Boolean Symbol Function Blob File FormData URL Uint8Array ReadableStream AbortSignal Partial Readonly Omit`
    .split(/\s+/)
    .filter((name) => name !== "");

/** What no identifier, file or comment may contain as it is. */
export const hostileTexts: readonly string[] = [
  "",
  " ",
  "a b",
  "*/",
  "/* a */",
  "// a",
  "</script>",
  "`",
  "${process.exit(7)}",
  '"',
  "'",
  "\\",
  "\\u0041",
  "a\nb",
  "a\r\nb",
  "\u2028",
  "\u0000",
  "\u202e",
  "{",
  "}",
  "{id}",
  "a/b",
  "a~b",
  "a%20b",
  "a[b]",
  "a.b",
  "$ref",
  "x-y",
  "constructor",
  "toString",
  "then",
  "😀",
  "@deprecated",
  "{@link a}",
  "1e400",
];

/** Keys of components, identifiers of operations and the like. */
export const oddName: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...troublesome) },
  { weight: 1, arbitrary: fc.constantFrom(...languageNames) },
);

/** Names of properties, which may be any text. */
export const oddKey: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: oddName },
  { weight: 2, arbitrary: fc.constantFrom("id", "name", "type", "kind", "value") },
  { weight: 2, arbitrary: fc.constantFrom(...hostileTexts) },
);

/** Names of parameters, headers and cookies. */
export const oddToken: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...troublesome.filter((name) => /^[\w.-]+$/.test(name))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("X-Request-Id", "page[size]", "filter[a][b]", "ids[]", "$filter", "a.b", "a:b"),
  },
);

export const prose: fc.Arbitrary<string> = fc.oneof(
  fc.constant("Some prose."),
  fc.constantFrom(...hostileTexts),
  fc
    .array(fc.constantFrom(...hostileTexts, "| a |", "# b", "- c", "```", "<b>", "&amp;"), { maxLength: 4 })
    .map((parts) => parts.join(" ")),
);
