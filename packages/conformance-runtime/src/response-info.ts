export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** What the description says about a response. */
export interface ResponseInfo {
  readonly requirements: readonly string[];
  readonly mediaTypes: readonly string[];
  /** The schema of a JSON body. Its nodes may have `x-source: [requirement ids]`, to which differences are attributed. */
  readonly schema?: JsonSchema | undefined;
  /** The schema of each item of a stream, such as `application/jsonl`. */
  readonly items?: StreamInfo | undefined;
  readonly headers: Readonly<
    Record<
      string,
      { readonly required: boolean; readonly schema: JsonSchema; readonly requirements: readonly string[] }
    >
  >;
}

/** What the description says about a streamed response. */
export interface StreamInfo {
  readonly mediaType: string;
  readonly schema: JsonSchema;
  /** True if the `data` of events is JSON. Default: text. */
  readonly hasJsonData?: boolean | undefined;
}
