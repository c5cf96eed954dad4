/** Descriptions that no suite is generated for: the linter rejects them. */
export const rejectedDescriptions: readonly string[] = [];

/** Cases of third-party suites that the mock does not pass, as `DESCRIPTION ID`, and why. A reason that nothing needs fails. */
export const unmetCases: readonly { readonly because: string; readonly cases: readonly RegExp[] }[] = [
  {
    because: "Every error body matches several alternatives of a `oneOf`, which allows one: no response is valid.",
    cases: [/^3\.0\/readme-legacy /],
  },
  {
    because: "The security scheme is not defined: no credential is valid.",
    cases: [/^3\.0\/response-http-behavior /],
  },
  {
    because: "A suite sends no credentials of HTTP Digest and of mutual TLS.",
    cases: [/^corners\/names /, /^3\.1\/security Mutual-TLS\//],
  },
  {
    because: "A suite sends one token, and the operation requires those of two schemes.",
    cases: [/^3\.0\/security-multiple default\/postAnythingAnd\/scopes\/exact$/],
  },
  {
    because: "Its identifiers have a maximum of 10. The mock creates more orders, and rejects their identifiers.",
    cases: [/^[23]\.\d\/petstore store\/placeOrder\//],
  },
  {
    because:
      "The object does not exist, and the suite does not see what creates it: its name or number is a field of the body.",
    cases: [/^[23]\.\d\/petstore (pet\/(getPetById|updatePet|uploadFile)|store\/getOrderById|user\/getUserByName)\//],
  },
  {
    because: "Nothing creates the objects of these paths, and the description documents no response for a missing one.",
    cases: [
      /^3\.0\/link-example default\/(getPullRequestsById|mergePullRequest)\/accepts$/,
      /^3\.1\/readme \w+\/\w+\/accepts$/,
    ],
  },
  {
    because: "A field that a condition or a branch requires is not part of a sample.",
    cases: [/^corners\/schemas default\/putEverything\//],
  },
  {
    because: "The response has several media types: the mock responds with text, and the suite expects JSON.",
    cases: [/^corners\/serving default\/createNote\//],
  },
];
