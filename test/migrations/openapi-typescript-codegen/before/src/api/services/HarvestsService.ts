/* generated using openapi-typescript-codegen -- do not edit */
/* istanbul ignore file */
/* tslint:disable */
/* eslint-disable */
import type { Harvest } from '../models/Harvest';
import type { HarvestPage } from '../models/HarvestPage';
import type { CancelablePromise } from '../core/CancelablePromise';
import { OpenAPI } from '../core/OpenAPI';
import { request as __request } from '../core/request';
export class HarvestsService {
    /**
     * List the harvests of a plot
     * @param plotId
     * @param since
     * @returns HarvestPage All of them
     * @throws ApiError
     */
    public static listHarvests(
        plotId: number,
        since?: string,
    ): CancelablePromise<HarvestPage> {
        return __request(OpenAPI, {
            method: 'GET',
            url: '/plots/{plot-id}/harvests',
            path: {
                'plot-id': plotId,
            },
            query: {
                'since': since,
            },
            errors: {
                404: `Unknown plot`,
            },
        });
    }
    /**
     * Record a harvest
     * @param plotId
     * @param requestBody
     * @returns Harvest Recorded
     * @throws ApiError
     */
    public static recordHarvest(
        plotId: number,
        requestBody: Harvest,
    ): CancelablePromise<Harvest> {
        return __request(OpenAPI, {
            method: 'POST',
            url: '/plots/{plot-id}/harvests',
            path: {
                'plot-id': plotId,
            },
            body: requestBody,
            mediaType: 'application/json',
            errors: {
                404: `Unknown plot`,
            },
        });
    }
}
