/* generated using openapi-typescript-codegen -- do not edit */
/* istanbul ignore file */
/* tslint:disable */
/* eslint-disable */
export { ApiError } from './core/ApiError';
export { CancelablePromise, CancelError } from './core/CancelablePromise';
export { OpenAPI } from './core/OpenAPI';
export type { OpenAPIConfig } from './core/OpenAPI';

export type { Harvest } from './models/Harvest';
export type { HarvestPage } from './models/HarvestPage';
export type { NewPlot } from './models/NewPlot';
export type { Plot } from './models/Plot';
export type { PlotChange } from './models/PlotChange';
export type { Problem } from './models/Problem';
export { Soil } from './models/Soil';

export { HarvestsService } from './services/HarvestsService';
export { PlotsService } from './services/PlotsService';
