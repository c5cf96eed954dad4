/** `createInstance` for `create-instance`, `create_instance`, `instance/create` and the like. `undefined` if no letter remains. */
export function camelCase(text: string): string | undefined {
  return pascalCase(text)?.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+(?![a-z])|^[A-Z]/, (lead) => lead.toLowerCase());
}

/** `SimpleUser` for `simple-user`, `CremeBrulee` for `crème brûlée`. `undefined` if no letter remains. */
export function pascalCase(text: string): string | undefined {
  const words = withoutAccents(text)
    .split(/[^A-Za-z0-9$]+/)
    .filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z$]/.test(joined) ? joined : undefined;
}

/** Removes diacritics: `creme` for `crème`. */
export function withoutAccents(text: string): string {
  return /[^\0-\x7f]/.test(text) ? text.normalize("NFKD").replaceAll(/\p{M}/gu, "") : text;
}

/** True for reserved words, and for words that are poor names. */
export function isReservedWord(text: string): boolean {
  return reservedWords.has(text);
}

/**
 * True for names that an operation cannot have: reserved words, and other exports of generated packages. `then` is one
 * of them, since
 * `await import()` would call it.
 */
export function isReservedFunctionName(text: string): boolean {
  return isReservedWord(text) || reservedFunctionNames.has(text);
}

/**
 * Returns the names of the types that clients export for an operation: its request and its error. A schema of such a name keeps it, since
 * many descriptions name their bodies so. The type of the operation then has another ending, as it has beside `ApiError`.
 */
export function operationTypeNames(
  operation: string,
  isSchema: (name: string) => boolean,
): readonly [request: string, error: string] {
  const stem = pascalCase(operation) ?? operation;
  const isUsed = (name: string): boolean => isSchema(name) || isReservedTypeName(name);
  return [
    isUsed(`${stem}Request`) ? `${stem}Arguments` : `${stem}Request`,
    isUsed(`${stem}Error`) ? `${stem}ApiError` : `${stem}Error`,
  ];
}

/**
 * Returns the names of the types of all operations, by operation. A name that a schema or another operation has already gets another ending.
 * The strict ruleset rejects such names; the minimal one does not.
 */
export function distinctOperationTypeNames(
  operations: readonly string[],
  isSchema: (name: string) => boolean,
): ReadonlyMap<string, readonly [request: string, error: string, success: string]> {
  const preferred = operations.map((each) => {
    const success = `${pascalCase(each) ?? each}Success`;
    return [each, [...operationTypeNames(each, isSchema), success] as const] as const;
  });
  const users = new Map<string, number>();
  for (const name of preferred.flatMap(([, names]) => names)) users.set(name, (users.get(name) ?? 0) + 1);
  const isUsed = (name: string): boolean => isSchema(name) || users.has(name) || isReservedTypeName(name);
  const distinct = (name: string, longer: string): string => {
    if (!isSchema(name) && users.get(name) === 1) return name;
    let free = `${longer}Type`;
    while (isUsed(free)) free += "Type";
    return free;
  };
  return new Map(
    preferred.map(([each, [request, error, success]]) => {
      const stem = pascalCase(each) ?? each;
      const names = [distinct(request, `${stem}Request`), distinct(error, `${stem}Error`), distinct(success, success)];
      return [each, names as [string, string, string]] as const;
    }),
  );
}

/** True for type names that generated code uses, or that would shadow types of TypeScript. */
export function isReservedTypeName(text: string): boolean {
  return reservedTypeNames.has(text);
}

const reservedWords: ReadonlySet<string> = new Set(
  `abstract any arguments as async await boolean break case catch class const constructor continue debugger declare default delete do else enum
  eval export extends false finally for from function get if implements import in infer instanceof interface is keyof let module namespace
  never new null number object of package private protected public readonly require return set static string super switch symbol this throw
  true try type typeof undefined unique unknown var void while with yield`.split(/\s+/),
);

const reservedTypeNames: ReadonlySet<string> = new Set(
  "Exclude Readonly Record ApiError ClientOptions Credentials Scope ScopeArea ScopeLevel".split(" "),
);

const reservedFunctionNames: ReadonlySet<string> = new Set([
  "baseUrl",
  "createClient",
  "isApiError",
  "toResult",
  "then",
]);
