/* generated using openapi-typescript-codegen -- do not edit */
/* istanbul ignore file */
/* tslint:disable */
/* eslint-disable */
import type { Harvest } from './Harvest';
export type HarvestPage = {
    items: Array<Harvest>;
    total: number;
};

