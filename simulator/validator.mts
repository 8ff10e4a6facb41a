import OpenApiValidator from 'express-openapi-validator';

/** Creates the middleware that validates requests and responses against an OpenAPI document. */
export const openApiMiddleware = OpenApiValidator.middleware;

/** The validator's error classes. */
export const contractErrors = OpenApiValidator.error;
