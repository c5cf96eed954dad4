import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from "express";

interface Violation {
  path: string;
  message: string;
  errorCode?: string;
}

interface HttpProblem extends Error {
  status?: number;
  headers?: Record<string, string>;
  errors?: Violation[];
}

/** A message for each field. */
function fieldsOf(errors: Violation[]): Record<string, string> {
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
}

export const notFound: RequestHandler = (req, res) => {
  res.status(404).json({ kind: "seed bank", message: `There is no ${req.path}.`, fields: {} });
};

/** Responds to what the validator rejects, and to what our code throws. */
export const handleError: ErrorRequestHandler = (
  err: HttpProblem,
  req: Request,
  response: Response,
  next: NextFunction,
) => {
  if (response.headersSent) return next(err);
  const status = err.status ?? 500;
  if (err.headers !== undefined) response.set(err.headers);
  if (status >= 500) {
    response.status(status).json({ kind: "seed bank", message: "Something is broken.", fields: {} });
    return;
  }
  const fields = fieldsOf(err.errors ?? []);
  response.status(status).json({ kind: "seed bank", message: err.message, fields, request: `${req.method} ${req.path}` });
};
