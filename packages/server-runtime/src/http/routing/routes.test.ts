import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/support/property-testing.js";
import { singleValue, stringValue } from "../decode/decoders.js";
import type { OperationDefinition } from "../operation-definition.js";
import { buildRoutes, namesIn } from "./routes.js";

const route = (method: string, path: string, parameters: OperationDefinition["parameters"] = []) => ({
  definition: { name: `${method} ${path}`, method, path, parameters },
});

function slashIn(name: string): OperationDefinition["parameters"] {
  return [{ name, in: "path", required: true, encodedSlash: true, decode: singleValue(stringValue) }];
}

const routes = [
  route("GET", "/"),
  route("GET", "/pets"),
  route("POST", "/pets"),
  route("GET", "/pets/{id}"),
  route("DELETE", "/pets/{id}"),
  route("POST", "/pets/import"),
  route("GET", "/pets/{id}/toys/{toy}"),
  route("GET", "/pets/import/log"),
  route("GET", "/images/{+id}"),
  route("POST", "/images/{+id}/copy"),
  route("GET", "/files/{name}.json"),
  route("GET", "/files/{name}"),
  route("GET", "/compare/{from}...{to}"),
  route("GET", "/cells/{;cell}"),
  route("GET", "/cells/a{;cell}.json"),
  route("GET", "/tags/{label}", slashIn("label")),
  route("DELETE", "/tags/{label}"),
  route("GET", "/tags/{label}/pets/{id}", slashIn("label")),
];
const api = buildRoutes(routes, "/v4");

/** The match as a word. */
function find(method: string, target: string): string {
  const found = api.find(method, target);
  if (found === undefined) return "not ours";
  if (found.kind === "path") return "404";
  return found.kind === "method"
    ? `405 ${found.allow.join()}`
    : [found.route.definition.name, ...found.values].join(" | ");
}

describe("routes", () => {
  it.each([
    ["GET", "/v4", "GET /"],
    ["GET", "/v4/", "GET /"],
    ["GET", "/v4/pets?page=1", "GET /pets"],
    ["HEAD", "/v4/pets", "GET /pets"],
    ["GET", "/v4/pets/", "GET /pets"],
    ["PUT", "/v4/pets", "405 GET,POST,HEAD"],
    ["get", "/v4/pets", "405 GET,POST,HEAD"],
    ["GET", "/v4/pets/5", "GET /pets/{id} | 5"],
    ["GET", "/v4/pets/5/", "404"],
    ["POST", "/v4/pets/import", "POST /pets/import"],
    ["GET", "/v4/pets/import", "405 POST"],
    ["GET", "/v4/pets/import/log", "GET /pets/import/log"],
    ["GET", "/v4/pets/import/toys/7", "GET /pets/{id}/toys/{toy} | import | 7"],
    ["GET", "/v4/images/a", "GET /images/{+id} | a"],
    ["GET", "/v4/images/a/b", "GET /images/{+id} | a/b"],
    ["GET", "/v4/images/a%2fb", "GET /images/{+id} | a%2fb"],
    ["GET", "/v4/images/a/b/c", "404"],
    ["GET", "/v4/images/a/", "404"],
    ["GET", "/v4/images/a%2F", "404"],
    ["POST", "/v4/images/a/copy", "POST /images/{+id}/copy | a"],
    ["POST", "/v4/images/a/b/copy", "POST /images/{+id}/copy | a/b"],
    ["GET", "/v4/files/a.json", "GET /files/{name}.json | a"],
    ["GET", "/v4/files/.json", "GET /files/{name} | .json"],
    ["GET", "/v4/files/a.xml", "GET /files/{name} | a.xml"],
    ["GET", "/v4/compare/a...b", "GET /compare/{from}...{to} | a | b"],
    ["GET", "/v4/compare/a..b", "404"],
    ["GET", "/v4/cells/;x=1;y=2", "GET /cells/{;cell} | ;x=1;y=2"],
    ["GET", "/v4/cells/a;x=1;y=2.json", "GET /cells/a{;cell}.json | ;x=1;y=2"],
    ["GET", "/v4/pets/a%20b", "GET /pets/{id} | a%20b"],
    ["GET", "/v4/pets/100%25", "GET /pets/{id} | 100%25"],
    ["GET", "/v4/pets/50%25%20off", "GET /pets/{id} | 50%25%20off"],
    ["GET", "/v4/pets/a%2Fb", "404"],
    ["GET", "/v4/tags/a%2Fb", "GET /tags/{label} | a%2Fb"],
    ["GET", "/v4/tags/a%2fb%2Fc", "GET /tags/{label} | a%2fb%2Fc"],
    ["GET", "/v4/tags/%2F", "GET /tags/{label} | %2F"],
    ["GET", "/v4/tags/%2Fa%2F%2Fb%2F", "GET /tags/{label} | %2Fa%2F%2Fb%2F"],
    ["GET", "/v4/tags/a%20%C3%A9%2F%3F", "GET /tags/{label} | a%20%C3%A9%2F%3F"],
    ["PUT", "/v4/tags/a%2Fb", "405 GET,HEAD"],
    ["DELETE", "/v4/tags/a%2Fb", "405 GET,HEAD"],
    ["DELETE", "/v4/tags/a", "DELETE /tags/{label} | a"],
    ["GET", "/v4/tags/a/b", "404"],
    ["GET", "/v4/tags/a%2Fb/", "404"],
    ["GET", "/v4/tags/a%252Fb", "404"],
    ["GET", "/v4/tags/a%2F%252Fb", "404"],
    ["GET", "/v4/tags/a%2F..", "404"],
    ["GET", "/v4/tags/..%2Fa", "404"],
    ["GET", "/v4/tags/a%2F%2e%2Fb", "404"],
    ["GET", "/v4/tags/a%%2F2e", "404"],
    ["GET", "/v4/tags/%C3%2F%A9", "404"],
    ["GET", "/v4/tags/a%2Fb%5C%00", "404"],
    ["GET", "/v4/tags%2Fa", "404"],
    ["GET", "/v4/tags/a%2Fb/pets/5", "GET /tags/{label}/pets/{id} | a%2Fb | 5"],
    ["GET", "/v4/tags/a/pets/5%2F6", "404"],
    ["GET", "/v4/pets/%2e%2E", "404"],
    ["GET", "/v4/pets/%252e", "404"],
    ["GET", "/v4/pets/%zz", "404"],
    ["GET", "/v4/pets/%ff", "404"],
    ["GET", "/v4/pets/a%00", "404"],
    ["GET", "/v4/pets/a%20;b", "404"],
    ["GET", "/v4/pets/é", "404"],
    ["GET", "/v4/pets/a b", "404"],
    ["GET", "/v4/pets/a\\b", "404"],
    ["GET", "/v4/pets/__proto__", "GET /pets/{id} | __proto__"],
    ["GET", "/v4/__proto__", "404"],
    ["__proto__", "/v4/pets", "405 GET,POST,HEAD"],
    ["GET", "http://a/v4/pets", "GET /pets"],
    ["GET", "*", "not ours"],
    ["GET", "", "not ours"],
  ])("%s %s", (method, target, expected) => {
    expect(find(method, target)).toBe(expected);
  });

  it.each(["/", "/v3/pets", "/v4x/pets", "/v/4/pets", "/pets", "/a/v4/pets", "/v4%78/pets", "/a%2fv4"])(
    "%s is outside the base path",
    (target) => {
      expect(find("GET", target)).toBe("not ours");
    },
  );

  it.each([
    "/V4/pets",
    "//v4/pets",
    "/./v4/pets",
    "/x/../v4/pets",
    "/%2e/v4/pets",
    "/v4;x/pets",
    "/%76%34/pets",
    "/%2576%2534/pets",
    "\\v4/pets",
    "/%5cv4/pets",
    "/v4%2fpets",
    "/v4%3bx/pets",
    "//V4",
  ])("%s could match the base path", (target) => {
    expect(find("GET", target)).toBe("404");
  });

  it("finds the route of each definition", () => {
    const segment = fc.oneof(fc.constantFrom("a", "b", "{x}"), fc.stringMatching(/^[a-z]{1,3}$/));
    const paths = fc.uniqueArray(
      fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => `/${all.join("/")}`),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(paths, (all) => {
        const built = buildRoutes(all.map((path) => route("GET", path)));
        for (const path of all) {
          // No static segment is as long.
          const found = built.find("GET", path.replaceAll("{x}", "value"));
          expect(found).toMatchObject({
            kind: "route",
            route: route("GET", path),
            values: namesIn(path).map(() => "value"),
          });
        }
      }),
      propertyRuns(50, 2000),
    );
  });

  it("never throws, and finds only plain paths", () => {
    const piece = fc.constantFrom(
      "/",
      "v4",
      "pets",
      "5",
      "%2f",
      "%2e",
      ".",
      ";",
      "%25",
      "%",
      "\\",
      "?",
      "#",
      "a",
      "images",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const found = api.find("GET", `/v4/pets/${pieces.join("")}`);
        if (found?.kind !== "route" || found.route.definition.path === "/images/{+id}") return;
        for (const value of found.values) expect(decodeURIComponent(value)).not.toMatch(/^\.{0,2}$|[/;\\#?]/);
      }),
      propertyRuns(1000, 20_000),
    );
  });

  it("finds the first of several routes with the same method and path", () => {
    const [first, second] = [route("GET", "/a/{b}"), route("GET", "/a/{c}")];
    expect(buildRoutes([first, second]).find("GET", "/a/1")).toMatchObject({ kind: "route", route: first });
    expect(buildRoutes([second, first]).find("GET", "/a/1")).toMatchObject({ kind: "route", route: second });
  });

  it("throws for a malformed base path", () => {
    expect(() => buildRoutes([], "v4")).toThrow('basePath "v4" is not a valid path');
    expect(() => buildRoutes([], "/v4?x")).toThrow('basePath "/v4?x" is not a valid path');
  });
});

describe("a template with a trailing slash", () => {
  const both = buildRoutes([
    route("GET", "/pets/{id}/"),
    route("DELETE", "/pets/{id}"),
    route("GET", "/pets/{id}/toys/"),
    route("GET", "/owners"),
    route("POST", "/owners/"),
    route("GET", "/tags/{label}/", slashIn("label")),
    route("GET", "/files/{name}.json/"),
    route("GET", "/images/{+id}/"),
    route("GET", "/log/{day}/"),
  ]);

  it.each([
    ["GET", "/pets/5/", "GET /pets/{id}/"],
    ["GET", "/pets/5", ["DELETE"]],
    ["DELETE", "/pets/5", "DELETE /pets/{id}"],
    ["DELETE", "/pets/5/", ["GET", "HEAD"]],
    ["GET", "/pets/5//", "path"],
    ["GET", "/pets/5/toys/", "GET /pets/{id}/toys/"],
    ["GET", "/pets/5/toys", "GET /pets/{id}/toys/"],
    ["GET", "/owners", "GET /owners"],
    ["GET", "/owners/", ["POST"]],
    ["POST", "/owners/", "POST /owners/"],
    ["GET", "/tags/a%2Fb/", "GET /tags/{label}/"],
    ["GET", "/files/a.json/", "GET /files/{name}.json/"],
    ["GET", "/files/a.json", "path"],
    ["GET", "/images/a/b/", "GET /images/{+id}/"],
    ["GET", "/images/a/b", "path"],
    ["GET", "/log/5", "path"],
  ])("%s %s", (method, target, expected) => {
    const found = both.find(method, target);
    const result =
      found?.kind === "route" ? found.route.definition.name : found?.kind === "method" ? found.allow : found?.kind;
    expect(result).toEqual(expected);
  });

  it("leads to the first of several with other names of parameters", () => {
    const found = buildRoutes([route("GET", "/a/{b}/"), route("GET", "/a/{c}/")]).find("GET", "/a/5/");
    expect(found?.kind === "route" && found.route.definition.name).toBe("GET /a/{b}/");
  });
});

it("a base path may be below another, without hiding it", () => {
  const both = buildRoutes([route("GET", "/pets")], ["/v4", "/v4/beta"]);
  const kinds = ["/v4/pets", "/v4/beta/pets", "/v4/beta", "/v5/pets"].map((path) => both.find("GET", path)?.kind);
  expect(kinds).toEqual(["route", "route", "path", undefined]);
});

describe("a base path of any characters", () => {
  it.each([
    ["/c++", "/c++/pets", "route"],
    ["/c++", "/c%2B%2B/pets", "route"],
    ["/c%2B%2B/", "/c++/pets", "route"],
    ["/caf%C3%A9/v1", "/caf%C3%A9/v1/pets", "route"],
    ["/caf%C3%A9/v1", "/caf%c3%a9/v1/pets", "route"],
    ["/café/v1", "/caf%C3%A9/v1/pets", "route"],
    ["/a%20b", "/a%20b/pets", "route"],
    ["/a%20b", "/A%20b/pets", "path"],
    ["/caf%C3%A9", "/caf%C3%A9s/pets", undefined],
    ["/c++", "/c+/pets", undefined],
    ["/v4", "/v%34/pets", "path"],
  ])("%s of %s", (base, target, expected) => {
    expect(buildRoutes([route("GET", "/pets")], base).find("GET", target)?.kind).toBe(expected);
  });

  it.each(["/a%2Fb", "/a%", "/a;b", "/..", "/a//b", "/a\\b", "/a b"])("is not %s", (base) => {
    expect(() => buildRoutes([], base)).toThrow(`basePath ${JSON.stringify(base)} is not a valid path`);
  });
});
