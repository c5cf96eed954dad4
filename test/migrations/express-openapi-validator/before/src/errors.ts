import type { ErrorRequestHandler } from "express";

/** Responds to what the validator rejects, and to what our code throws. */
export const handleError: ErrorRequestHandler = (err, _request, response, next) => {
  if (response.headersSent) return next(err);
  response.status(err.status || 500).json({
    message: err.message,
    errors: err.errors,
    kind: "seed bank",
  });
};
