import { test } from "vitest";
import { apiOf, problemsOf, withSchemas, withPaths, plain } from "./testing.support.js";
import { TypePrinter } from "../types/print.js";
import { print, code } from "../emit/printer.js";
async function types(schemas: string, v: "3.0.3"|"3.1.0" = "3.1.0") {
  const api = await apiOf(withSchemas(schemas, v));
  const p = new TypePrinter(api);
  return print(api.shapes.map((s) => p.declaration(s)), code``);
}
const show = async (title: string, f: () => Promise<unknown>) => { try { const r = await f(); console.log("##", title, "\n", typeof r === "string" ? r : JSON.stringify(r, null, 1)); } catch (e) { console.log("##", title, "THROWS", e); } };
test("x", async () => {
  await show("bare object oneOf", () => types(`
A: {type: object, properties: {a: {type: string}}}
B: {type: object, properties: {b: {type: string}}}
U: {type: object, oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]}
R: {allOf: [{$ref: '#/components/schemas/A'}, {required: [a]}]}
R2: {allOf: [{$ref: '#/components/schemas/A'}], required: [a]}
P: {type: object, additionalProperties: false, patternProperties: {'^x': {type: string}}}
P2: {type: object, patternProperties: {'^x': {type: string}, '^y': {type: integer}}}
N: {type: object, properties: {n: false, m: {type: array, items: false}}}
E: {type: object}
E2: {type: object, properties: {}}
E3: {type: object, maxProperties: 0}
Obj: {enum: [{a: 1}, [1, 2], null, -3, true, 'x']}
C: {const: {a: 1}}
Proto: {type: object, properties: {__proto__: {type: string}, constructor: {type: string}, 'a-b': {type: string}}, required: [__proto__]}
Any: {}
Tup: {type: array, prefixItems: [{type: string}, {type: integer}], items: false, minItems: 2}
Bin: {type: string, format: binary}
Ref: {$ref: '#/components/schemas/A'}
Ts: {type: object, properties: {a: {type: string, description: '@ts-expect-error'}, b: {type: string, description: "*\\u200F/ boom"}}}
NU: {anyOf: [{$ref: '#/components/schemas/A'}, {type: 'null'}]}
EmptyEnum: {enum: []}
L: {type: [string, 'null'], enum: [a, null]}
Multi: {type: [string, integer, array, object, 'null'], items: {type: string}, properties: {a: {type: string}}}
AddlNamed: {type: object, properties: {a: {type: string}}, additionalProperties: {type: integer}}
`));
  await show("circular alias", () => types(`A: &a {type: object, properties: {next: *a}}`));
  await show("bad uri", () => problemsOf(withSchemas(`A: {$ref: '100%.yaml#/x'}`)));
  await show("names proto", () => problemsOf(withPaths(`/a: {get: {operationId: toString, responses: {}}}`)));
  await show("same item twice", () => apiOf({"openapi.yaml": withPaths(`
/a: {$ref: 'item.yaml'}
/b: {$ref: 'item.yaml'}`), "item.yaml": "get: {operationId: foo, responses: {}}"}).then((a) => a.operations.map((o) => o.name)));
  await show("lost scheme", () => problemsOf(withPaths(`/a: {get: {responses: {}}}`, `components: {securitySchemes: {a: {$ref: '#/nope'}}}`)));
  await show("file per schema", () => apiOf({"openapi.yaml": withSchemas(`Pet: {$ref: schemas/Pet.yaml}`), "schemas/Pet.yaml": "type: object\nproperties:\n  friend: {$ref: Pet.yaml}\n  tag: {$ref: Tag.yaml}\n", "schemas/Tag.yaml": "type: string"}).then((a) => plain(a.shapes)));
  await show("required of readonly", () => apiOf(withPaths(`
/a: {post: {operationId: foo, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, responses: {}}}`, `components:
  schemas:
    Base: {type: object, properties: {id: {type: integer, readOnly: true}, n: {type: string}}}
    Pet: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, required: [id, n]}]}
`)).then((a) => plain(a.shapes)));
  await show("null key", () => problemsOf("openapi: 3.1.0\ninfo: {title: x, version: y}\n? \n: x\npaths: {}\ntags: [{$ref: '#/no'}]"));
  await show("merge key", () => problemsOf("openapi: 3.1.0\nx: &m {a: 1}\ninfo: {title: x, version: y}\npaths: {/a: {get: {<<: *m, responses: {'999': {}}}}}"));
  await show("json tabs", () => apiOf('{\n\t"openapi": "3.1.0",\n\t"info": {"title": "x", "version": "y"},\n\t"paths": {}\n}').then((a) => a.title));
  await show("bom", () => apiOf('\ufeffopenapi: 3.1.0\ninfo: {title: x, version: y}\npaths: {}\n').then((a) => a.title));
  await show("dup key", () => problemsOf('openapi: 3.1.0\ninfo: {title: x, version: y}\npaths: {}\npaths: {}\n'));
  await show("syntax", () => problemsOf('openapi: 3.1.0\ninfo: {title: x, version: y\npaths: {}\n'));
  await show("not object", () => problemsOf('just text'));
  await show("empty", () => problemsOf(''));
});
