import { createMock } from "@letters/mock";

const mock = createMock();
const respond = (request) => mock.fetch(request);

export {
  respond as DELETE,
  respond as GET,
  respond as HEAD,
  respond as OPTIONS,
  respond as PATCH,
  respond as POST,
  respond as PUT,
};
