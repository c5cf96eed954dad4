// What the types of parameters.yaml have to be.
import {
  inCookies,
  inHeaders,
  inherited,
  inPath,
  inQuery,
  names,
  overridden,
  type Numbers,
  type Point,
} from "./client/src/index.js";
import { exactly, type Optional } from "./exactly.js";

type Given<Call extends (client: never, request: never) => unknown> = NonNullable<Parameters<Call>[1]>;

exactly<Numbers, number[]>(true);
exactly<Point, { x: number; y: number }>(true);
exactly<
  Given<typeof inPath>["path"],
  {
    readonly simple: string;
    readonly list: Numbers;
    readonly point: Point;
    readonly points: Point;
    readonly label: Numbers;
    readonly labels: Point;
    readonly matrix: Numbers;
    readonly matrixes: Point;
  }
>(true);
exactly<
  Given<typeof inQuery>["query"],
  { readonly text: string } & Optional<{
    readonly list: Numbers;
    readonly commas: Numbers;
    readonly point: Point;
    readonly flat: Point;
    readonly spaces: Numbers;
    readonly pipes: Numbers;
    readonly deep: Point;
    readonly json: Point[];
    readonly reserved: string;
    readonly mayBeNull: number | null;
  }>
>(true);
exactly<
  Given<typeof inHeaders>["headers"],
  { readonly "X-Request-Id": string } & Optional<{
    readonly "X-List": Numbers;
    readonly "X-Point": Point;
    readonly "X-Points": Point;
    readonly "X-Json": Point;
  }>
>(true);
exactly<
  Given<typeof inCookies>["cookies"],
  { readonly session: string } & Optional<{ readonly debug: boolean; readonly flat: Numbers }>
>(true);
// The operation's `limit` takes the place of its path's; `id` is three parameters in three places.
exactly<
  Given<typeof overridden>,
  {
    readonly path: { readonly id: number };
    readonly query?: Optional<{ readonly verbose: boolean; readonly limit: "few" | "many"; readonly id: string }>;
    readonly headers?: Optional<{ readonly id: boolean }>;
  }
>(true);
exactly<
  Given<typeof inherited>,
  {
    readonly path: { readonly id: number };
    readonly query: Optional<{ readonly verbose: boolean }> & { readonly limit: number };
  }
>(true);
exactly<
  Given<typeof names>["query"],
  | Optional<{
      readonly "filter[a]": string;
      readonly "ids[]": Numbers;
      readonly ["__proto__"]: string;
      readonly constructor: string;
      readonly $top: number;
      readonly 'a b"c': string;
    }>
  | undefined
>(true);
