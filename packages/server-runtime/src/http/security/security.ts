/** A security scheme of the description. */
export type SecurityScheme =
  | { readonly kind: "bearer" | "basic" | "oauth2" | "openIdConnect" | "mutualTLS" }
  | { readonly kind: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly key: string }
  | { readonly kind: "http"; readonly scheme: string };

/** A security requirement: all of its schemes are required, with all their scopes. An empty one allows anonymous callers. */
export type SecurityRequirement = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

/** The user name and password of HTTP's basic scheme. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}
