/** What the report about a project misses (`-`) or has too much (`+`), with the reason. An entry that nothing needs fails the test. */
export const knownMismatches: Readonly<Record<string, readonly (readonly [mismatch: string, because: string])[]>> = {
  "library-query": [
    ["- src/LoanDesk.tsx:21 certain response-type-changed", "The result of a query is an argument of useQuery."],
    ["- src/LoanDesk.tsx:63 certain error-status-changed", "The error belongs to a mutation whose call is elsewhere."],
    ["- src/queries.ts:39 certain request-property-removed", "The body is made by Object.assign."],
    ["- src/queries.ts:39 certain request-property-required-added", "The body is made by Object.assign."],
    [
      "+ src/LoanDesk.tsx:14 possible response-enum-value-added",
      "The value is only compared below, where it is reported, too.",
    ],
  ],
  "notify-client": [
    ["- src/channels.ts:38 certain response-branch-added", "What is left after the other branches is not followed."],
    [
      "- src/messages.ts:103 possible request-bound-tightened",
      "The object is a part of a body, in a variable without a type of its own.",
    ],
    [
      "- src/messages.ts:104 certain request-property-removed",
      "The object is a part of a body, in a variable without a type of its own.",
    ],
    ["- src/messages.ts:80 certain response-type-changed", "The map is reported where it is read, not its entries."],
    ["+ src/channels.ts:60 certain request-branch-removed", "The mark is on the type of the function alone."],
    ["+ src/channels.ts:83 possible request-property-required", "The branch of a body that is spread is not known."],
    ["+ src/messages.ts:78 certain response-type-changed", "The map is reported where it is read, not its entries."],
  ],
  "notify-paths": [
    ["- src/http.ts:17 certain response-success-removed", "Types of single statuses are not followed."],
    [
      "- src/index.ts:79 certain request-bound-tightened",
      "The object is a part of a body, in a variable without a type of its own.",
    ],
  ],
  "notify-query": [
    ["- src/Inbox.tsx:24 certain response-type-changed", "The list is reported where it is read, not its items."],
    ["+ src/Inbox.tsx:23 certain response-type-changed", "The list is reported where it is read, not its items."],
  ],
  "orders-client": [
    [
      "- src/checkout.ts:32 certain request-enum-value-removed",
      "The value is spread into the body from another object.",
    ],
  ],
  "orders-query": [
    ["- src/OrderPanel.tsx:37 certain parameter-required", "The request of a mutation is passed elsewhere."],
    [
      "- src/OrderPanel.tsx:44 certain error-status-changed",
      "The error belongs to a mutation whose call is elsewhere.",
    ],
  ],
  "calendar-client": [
    ["+ src/agenda-service.ts:78 possible request-property-required", "A part of the body is optional in the code."],
  ],
  "calendar-paths": [
    [
      "- src/attendance.ts:26 certain request-property-required-added",
      "The items of the body are made by map, before the call.",
    ],
    [
      "- src/attendance.ts:28 certain request-enum-value-removed",
      "The items of the body are made by map, before the call.",
    ],
  ],
  "calendar-query": [
    ["- src/Week.tsx:7 certain request-property-required", "The user's type leaves out a part of the API's."],
    ["- src/hooks.ts:25 certain parameter-required", "The value may be undefined; only its presence is looked at."],
    ["- src/hooks.ts:51 certain request-property-required", "The mutation is returned by a function of the user."],
    ["+ src/Week.tsx:30 possible request-property-required", "The user's type leaves out a part of the API's."],
  ],
  "payments-client": [
    ["- src/ledger.ts:38 certain response-branch-added", "What is left after the other branches is not followed."],
    ["- src/ledger.ts:52 certain response-type-changed", "The map is reported where it is read, not its entries."],
    ["+ src/ledger.ts:51 certain response-type-changed", "The map is reported where it is read, not its entries."],
  ],
  "payments-paths": [
    [
      "- src/account.fixtures.ts:22 certain parameter-required-added",
      "The parameter was there, and could be left out.",
    ],
    ["- src/sync.ts:70 certain request-branch-removed", "The value has the type of a branch, which is not followed."],
    [
      "+ src/account.fixtures.ts:22 possible parameter-required-added",
      "The parameter was there, and could be left out.",
    ],
    ["+ src/account.fixtures.ts:46 certain request-branch-removed", "The mark is on the type of the function alone."],
  ],
  "payments-query": [
    [
      "- src/Payments.tsx:16 certain response-enum-value-removed",
      "Requests and responses have the same values; the report is about requests.",
    ],
    [
      "- src/data.ts:35 certain parameter-required-added",
      "The value may be undefined; only its presence is looked at.",
    ],
    ["- src/data.ts:57 certain parameter-required", "The mutation is returned by a function of the user."],
    [
      "+ src/Payments.tsx:16 certain request-enum-value-removed",
      "Requests and responses have the same values; the report is about requests.",
    ],
    [
      "+ src/data.ts:35 possible parameter-required-added",
      "The value may be undefined; only its presence is looked at.",
    ],
  ],
};
