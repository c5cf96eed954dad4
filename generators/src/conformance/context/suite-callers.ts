import {
  type Api,
  attributeValues,
  type CallerAttributes,
  callerLabel,
  callersOf,
  type CallerValues,
  mainAttributes,
  matchesCaller,
  memoize,
  type Operation,
  type Resource,
} from "@plumbline/kit/model";

/** The attributes of the suite's callers by label: those of `main`, and one difference of each other caller. */
export const suiteCallers: (api: Api) => Readonly<Record<string, CallerAttributes>> = memoize((api) => {
  const main = mainAttributes(api);
  const others = Object.entries(callersOf(api).attributes).flatMap(([name, schema]) =>
    attributeValues(schema)
      .filter((value) => value !== main[name])
      .map((value) => [callerLabel({ [name]: value }), { [name]: value }] as const),
  );
  return { main, ...Object.fromEntries(others) };
});

function attributesOf(api: Api, label: string): CallerAttributes {
  const callers = suiteCallers(api);
  return { ...callers["main"], ...callers[label] };
}

/** The first caller that has one of the values of each attribute. */
export function callerMatching(api: Api, values: CallerValues): string | undefined {
  return Object.keys(suiteCallers(api)).find((label) => matchesCaller(attributesOf(api, label), values));
}

/** Whether a caller needs no grant. */
function isExempt(api: Api, label: string): boolean {
  const { needNoGrants } = callersOf(api);
  return needNoGrants !== undefined && matchesCaller(attributesOf(api, label), needNoGrants);
}

/** The caller that needs grants, and has the attributes that the operation requires. Undefined: all of them need none. */
export function callerWithGrants(api: Api, operation: Operation): string | undefined {
  const required = operation.grants.flatMap((each) =>
    each.kind === "caller" && each.when === undefined ? [each.caller] : [],
  );
  return Object.keys(suiteCallers(api)).find(
    (label) => !isExempt(api, label) && required.every((values) => matchesCaller(attributesOf(api, label), values)),
  );
}

/** The callers that have none of the values of a grant, and need it. */
export function callersWithout(api: Api, values: CallerValues): readonly string[] {
  return Object.keys(suiteCallers(api)).filter(
    (label) => !isExempt(api, label) && !matchesCaller(attributesOf(api, label), values),
  );
}

/** The callers besides `main` that may do what a grant allows: those that have its values, and those that need no grant. */
export function callersWith(api: Api, values: CallerValues): readonly string[] {
  return Object.entries(suiteCallers(api)).flatMap(([label, difference]) => {
    const isAbout = Object.keys(difference).some((name) => Object.hasOwn(values, name));
    const isAllowed = isExempt(api, label) || matchesCaller(attributesOf(api, label), values);
    return label !== "main" && isAbout && isAllowed ? [label] : [];
  });
}

/** Names a caller in a title: `a restricted user`, or `a user with the role doctor`. */
export function callerInWords(api: Api, label: string): string {
  const difference = label === "main" ? {} : suiteCallers(api)[label];
  const [[name, value] = []] = Object.entries(difference ?? {});
  if (name === undefined || value === undefined) return "a user";
  return typeof value === "boolean" ? `a ${label} user` : `a user with the ${name} ${value}`;
}

/** Whether users of one account share the objects of a resource, and others do not see them. */
export function isOfTenant(api: Api, { owner }: Pick<Resource, "owner">): boolean {
  const { tenant } = callersOf(api);
  return tenant !== undefined && owner.includes(tenant);
}
