// Hooks of Dredd: they adapt its requests to the documented responses. Each run writes the file with the values.
const { readFileSync } = require("node:fs");
const hooks = require("hooks");

const { request, unknown, schemas } = JSON.parse(readFileSync(process.env.DREDD_REQUEST, "utf8"));

// Rejected requests come first: the accepted one may delete what the others name.
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
  // Dredd skips responses that are not successful by default. The other errors need more than one request.
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
