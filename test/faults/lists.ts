import { createFaults } from "./create-faults.js";
import { editFeature, editOperations, editService } from "./edited-files.js";
import type { SourceEdit, Fault } from "./fault.js";
import { withBody, type ProxyResponse } from "./proxy.js";

const filterFile = "packages/service/dist/store/filters/filter.js";
const listed = editService("store/collection");
const pageOf = "const [offset, size] = [(query.page - 1) * query.page_size, query.page_size];";

/** Faults of pages, totals, filters and orders. */
export const listFaults: readonly Fault[] = [...sizes(), ...edges(), ...totals(), ...filters(), ...orders()];

function sizes(): readonly Fault[] {
  const any = (area: string, check: string): SourceEdit =>
    editOperations(area)(`function ${check}(`, "value < 25 || value > 500", "value < 0");
  return createFaults("any-page-size", 49, [
    [
      "listClusters",
      "any size of a page is accepted",
      ["list.page-size.open", "cluster.list.paging"],
      any("kube", "checkPageSize"),
    ],
    [
      "listDomainRecords",
      "any size of a page is accepted",
      ["list.page-size.open", "records.list.page_size"],
      any("domains", "checkPageSize"),
    ],
    [
      "listImages",
      "any size of a page is accepted",
      ["list.page-size.open", "image.list.query"],
      any("images", "checkListImagesPageSize"),
    ],
    [
      "listTags/ignored",
      "a page has 100 items with any parameters",
      ["list.page-size.open", "tag.list.query", "list.data.current"],
      listed(
        "    async list(where, listQuery)",
        pageOf,
        '        const size = this.#name === "tags" ? 100 : query.page_size;\n        const offset = (query.page - 1) * size;',
      ),
    ],
  ]);
}

function edges(): readonly Fault[] {
  const shifted = (table: string, by: string): SourceEdit =>
    listed(
      "    async list(where, listQuery)",
      "[(query.page - 1) * query.page_size,",
      `[(query.page - 1) * query.page_size ${by} (this.#name === "${table}" && query.page > 1 ? 1 : 0),`,
    );
  return createFaults("page-edge", 50, [
    [
      "listTags",
      "the last item of a page is the first of the next as well",
      ["list.data.current", "tag.list.operation"],
      shifted("tags", "-"),
    ],
    [
      "listDomains",
      "the first item of the second page is skipped",
      ["list.data.current", "domains.list"],
      shifted("domains", "+"),
    ],
    [
      "listSSHKeys",
      "the last item of a page is the first of the next as well",
      ["list.data.current", "sshkey.list"],
      shifted("sshkeys", "-"),
    ],
    [
      "listDomainRecords",
      "the first item of the second page is skipped",
      ["list.data.current", "records.list"],
      shifted("records", "+"),
    ],
  ]);
}

interface Page {
  readonly data: readonly unknown[];
  readonly page: number;
  readonly pages: number;
  readonly results: number;
}

function totals(): readonly Fault[] {
  const rows: readonly (readonly [string, string, readonly string[], (page: Page) => Page])[] = [
    [
      "listTags",
      "results counts the items of the page",
      ["list.results.total"],
      (page) => ({ ...page, results: page.data.length }),
    ],
    [
      "listDomains",
      "results is one too many",
      ["list.results.total"],
      (page) => ({ ...page, results: page.results + 1 }),
    ],
    [
      "listClusters",
      "an empty list has no pages",
      ["list.pages.total"],
      (page) => ({ ...page, pages: page.results === 0 ? 0 : page.pages }),
    ],
    ["listImages", "page is always 1", ["list.page.current"], (page) => ({ ...page, page: 1 })],
    ["listSSHKeys", "pages is one too many", ["list.pages.total"], (page) => ({ ...page, pages: page.pages + 1 })],
    [
      "listInstances",
      "results is how many items a page may have",
      ["list.results.total"],
      (page) => ({ ...page, results: 100 }),
    ],
  ];
  return rows.map(([operation, description, requirements, change]) => ({
    id: `totals/${operation}`,
    class: 51,
    operation,
    requirements,
    description,
    wire: {
      onResponse: (answer): ProxyResponse =>
        answer.status === 200 ? withBody(answer, change(JSON.parse(answer.body) as Page)) : answer,
    },
  }));
}

function filters(): readonly Fault[] {
  const ignored = (file: string, operation: string): SourceEdit =>
    editFeature(file)(`${operation}: async`, 'filter: headers["X-Filter"]', "filter: {}");
  return [
    ...createFaults("filter-ignored", 52, [
      [
        "listInstances",
        "all instances are listed with any parameters",
        ["instance.label.filterable", "instance.list.query"],
        ignored("instances/handlers", "listInstances"),
      ],
      [
        "listInstanceConfigs",
        "all configs are listed with any parameters",
        ["config.label.filterable", "config.list.query"],
        ignored("configs/handlers", "listInstanceConfigs"),
      ],
      [
        "listImages",
        "all images are listed with any parameters",
        ["image.label.filterable", "image.is-public.filterable"],
        ignored("images/handlers", "listImages"),
      ],
      [
        "listClusterPools",
        "all pools are listed with any parameters",
        ["pool.tags.filterable"],
        ignored("kube/handlers", "listClusterPools"),
      ],
      [
        "listTokens",
        "all tokens are listed with any parameters",
        ["token.label.filterable"],
        ignored("profile/credential-handlers", "listTokens"),
      ],
      [
        "listDomainRecords",
        "all records are listed with any parameters",
        ["record.type.filterable", "record.name.filterable"],
        ignored("domains/handlers", "listDomainRecords"),
      ],
      [
        "listEvents",
        "all events are listed with any parameters",
        ["filter.marked", "event.list.open"],
        ignored("events/handlers", "listEvents"),
      ],
    ]),
    ...createFaults("filter-operator", 52, [
      [
        "listImages/gte",
        "+gte is above, and not at",
        ["image.size.filterable", "filter.syntax.open"],
        { file: filterFile, find: '"+gte": sql `>=`', replace: '"+gte": sql `>`' },
      ],
      [
        "listInstances/contains",
        "+contains is case-sensitive",
        ["filter.syntax.open", "instance.label.filterable"],
        {
          file: filterFile,
          within: "function contains(",
          find: "const sought = ",
          replace:
            "if (column !== undefined) return sql `instr(cast(${column} as text), ${textCell(String(sent))}) > 0`;\n    const sought = ",
        },
      ],
      [
        "listDomains/or",
        "+or requires all of its filters",
        ["filter.syntax.open", "filter.marked", "domain.domain.filterable"],
        { file: filterFile, find: "return anyOf(within(value));", replace: "return allOf(within(value));" },
      ],
      [
        "listClusters/neq",
        "+neq is the same as equal",
        ["filter.syntax.open", "cluster.label.filterable", "cluster.list.filter"],
        {
          file: filterFile,
          find: "sql `${column} is distinct from ${cell(operand)}`",
          replace: "equals(place.name, operand)",
        },
      ],
      [
        "listInstances/tags",
        "a list of tags fits when it has a text within a tag",
        ["instance.tags.filterable"],
        {
          file: filterFile,
          find: 'if (operator === "+eq")\n        return items ===',
          replace:
            'if (operator === "+eq")\n        return anyOf([]);\n    if (operator === "+eq")\n        return items ===',
        },
      ],
      [
        "listTokens/unknown",
        "an unfilterable field is ignored",
        ["filter.marked", "filter.syntax.open"],
        {
          file: filterFile,
          within: "function fieldCondition(",
          find: "throw notFilterable(name);",
          replace: "return allOf([]);",
        },
      ],
      [
        "listImages/vendor",
        "images cannot be filtered by vendor",
        ["image.vendor.filterable"],
        {
          file: "packages/server/dist/gen/lists.js",
          within: "    listImages: {",
          find: 'vendor: { type: "string" },',
          replace: "",
        },
      ],
    ]),
  ];
}

function orders(): readonly Fault[] {
  const order = (find: string, replace: string): SourceEdit => ({
    file: filterFile,
    within: "export function orderOf(",
    find,
    replace,
  });
  const reversed = (table: string): readonly SourceEdit[] => [
    order("{ filterable }", "{ filterable, table }"),
    order("return sql `id ${direction}`;", `return table === "${table}" ? sql\`id desc\` : sql\`id \${direction}\`;`),
  ];
  return createFaults("order", 53, [
    [
      "listInstances/desc",
      "+order desc is ignored",
      ["filter.syntax.open", "filter.marked"],
      order('const direction = filter["+order"] === "desc"', "const direction = false"),
    ],
    [
      "listDomains/order_by",
      "+order_by is ignored",
      ["filter.syntax.open", "filter.marked"],
      order('const by = filter["+order_by"];', "const by = undefined;"),
    ],
    [
      "listDomains",
      "the newest come first",
      ["domains.list", "filter.marked", "filter.syntax.open"],
      ...reversed("domains"),
    ],
  ]);
}
