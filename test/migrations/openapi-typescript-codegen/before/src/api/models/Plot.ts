/* generated using openapi-typescript-codegen -- do not edit */
/* istanbul ignore file */
/* tslint:disable */
/* eslint-disable */
import type { Soil } from './Soil';
export type Plot = {
    id: number;
    name: string;
    soil: Soil;
    version: string;
    tenant?: string | null;
};

