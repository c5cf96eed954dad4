// Its chain of middlewares, called as Express does after a parser, without a socket.
import express from "express";
import OpenApiValidator from "express-openapi-validator";

const app = express();
const validateRequests = { allErrors: true };
const options = { apiSpec: "description.json", validateRequests, validateSecurity: false };
const chain = OpenApiValidator.middleware(options).flat();
const url = "/v4/compute/instances";
const headers = { "content-type": "application/json", "content-length": "400" };

export function judge(body) {
  return new Promise((resolve, reject) => {
    const given = { method: "POST", url, originalUrl: url, baseUrl: "", app, headers, params: {}, body };
    const request = Object.assign(Object.create(express.request), given);
    Object.defineProperty(request, "query", { value: {}, writable: true });
    const response = Object.create(express.response);
    const call = (index) => {
      const middleware = chain[index];
      if (middleware === undefined) return resolve(0);
      middleware(request, response, (error) => {
        if (error === undefined) call(index + 1);
        else if (Array.isArray(error.errors)) resolve(error.errors.length);
        else reject(error);
      });
    };
    call(0);
  });
}
