import { withConversions } from "@plumbline/kit/codegen";
import { findJsonContent, schemaParts, type Api, type Operation, type Schema } from "@plumbline/kit/model";
import { successResponses } from "../responses.js";

/** The options that change which values a client has. */
export interface ValueOptions {
  readonly dates: string;
  readonly integers: string;
}

/** Returns the model whose types have converted values, or the model itself if the options convert nothing. */
export function convertValues(api: Api, options: ValueOptions): Api {
  const dates = options.dates === "Date" || options.dates === "Temporal" ? options.dates : undefined;
  const integers = options.integers === "bigint" ? options.integers : undefined;
  if (dates === undefined && integers === undefined) return api;
  return withConversions(api, { dates, integers, numbers: pageNumbers(api) });
}

/** The places of page numbers and page sizes, with which programs and `paginate` calculate. */
function pageNumbers(api: Api): ReadonlySet<Schema["origin"]> {
  return new Set(api.operations.flatMap((operation) => pageNumbersOf(api, operation)).map(({ origin }) => origin));
}

function pageNumbersOf(api: Api, { pagination, parameters, ...operation }: Operation): readonly Schema[] {
  if (pagination === undefined) return [];
  const { page, size, envelope } = pagination;
  const parameterSchemas = parameters.filter(({ name }) => name === page || name === size).map(({ schema }) => schema);
  const counts = new Set<string | undefined>([envelope.page, envelope.pages]);
  const pages = successResponses({ pagination, parameters, ...operation }).flatMap(({ contents }) => {
    const content = findJsonContent(contents);
    return content === undefined ? [] : schemaParts(api, content.schema).flatMap(({ properties = [] }) => properties);
  });
  const fields = pages.filter(({ name }) => counts.has(name)).map(({ schema }) => schema);
  return [...parameterSchemas, ...fields].flatMap((schema) => schemaParts(api, schema));
}
