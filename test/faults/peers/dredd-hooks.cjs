// What Dredd is told: how its requests have to be for the answers that are described. The file that says so is written for each run.
const { readFileSync } = require("node:fs");
const hooks = require("hooks");

const { request, unknown, schemas } = JSON.parse(readFileSync(process.env.DREDD_REQUEST, "utf8"));

// Requests that are rejected come first: the one that is accepted may take away what the others name.
hooks.beforeAll((transactions, done) => {
  transactions.sort((a, b) => Number(b.expected.statusCode) - Number(a.expected.statusCode));
  done();
});

hooks.beforeEach((transaction, done) => {
  const { expected } = transaction;
  const status = Number(expected.statusCode);
  const { authorization, ...anonymous } = request.headers;
  const sent = { ...request, headers: request.headers };
  if (status === 401) sent.headers = anonymous;
  if (status === 404) sent.target = unknown;
  if (status === 400) sent.body = "{";
  // Dredd skips what is no success, unless told otherwise. What the other refusals need is more than a request.
  transaction.skip = !(
    (status >= 200 && status < 300) ||
    (status === 401 && authorization !== undefined) ||
    (status === 404 && unknown !== null) ||
    (status === 400 && request.body !== "")
  );
  transaction.fullPath = sent.target;
  transaction.request.uri = sent.target;
  transaction.request.headers = sent.headers;
  transaction.request.body = sent.body;
  const schema = schemas[expected.statusCode];
  if (schema !== undefined) expected.bodySchema = schema;
  done();
});
