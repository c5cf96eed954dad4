// Requests by their number.
import { createsOfUser, token, tokenOf } from "./rows.mjs";

/** Filters of a list, by name. Every store has a hundred matching items, or many more. */
const filters = {
  region: { region: "us-east" },
  tag: { tags: "production" },
  part: { label: { "+contains": "chosen" } },
  order: { label: { "+contains": "web" }, "+order_by": "label", "+order": "desc" },
};

export const kinds = {
  ...Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, () => list(filter)])),
  all: () => list(undefined),
  getInstance: (number, stored) => get(`/v4/compute/instances/${1 + ((number * 7919) % stored)}`),
  updateInstance: (number) => send("PUT", "/v4/compute/instances/1", { value: { group: `${number}` }, as: token }),
  createInstance: (number) => create(number, "/v4/compute/instances", plain(number)),
  deployInstance: (number) => create(number, "/v4/compute/instances", { ...plain(number), ...deployed }),
  createDomain: (number) =>
    create(number, "/v4/domains", { domain: `d${number}.example.com`, type: "master", soa_email: "a@example.com" }),
};

const deployed = { image: "compute/debian12", root_pass: "correct Horse 7 battery" };

function plain(number) {
  return { region: "us-east", type: "g6-standard-2", label: `new-${number}` };
}

function get(path, filter) {
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAuthorization: Bearer ${token}\r\n`;
  return Buffer.from(filter === undefined ? `${head}\r\n` : `${head}X-Filter: ${JSON.stringify(filter)}\r\n\r\n`);
}

/** As a user who has not yet reached the limit of creates. */
function create(number, path, value) {
  return send("POST", path, { value, as: tokenOf(Math.floor(number / createsOfUser)) });
}

function send(method, path, { value, as }) {
  const body = JSON.stringify(value);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${as}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

function list(filter) {
  return get("/v4/compute/instances?page=1&page_size=100", filter);
}
