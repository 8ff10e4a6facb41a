import OpenApiValidator from 'express-openapi-validator';

/** Makes the middleware that holds requests and answers to an OpenAPI document. */
export const openApiMiddleware = OpenApiValidator.middleware;

/** The validator's error classes. */
export const contractErrors = OpenApiValidator.error;
