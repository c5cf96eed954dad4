/* generated using openapi-typescript-codegen -- do not edit */
/* istanbul ignore file */
/* tslint:disable */
/* eslint-disable */
import type { NewPlot } from '../models/NewPlot';
import type { Plot } from '../models/Plot';
import type { PlotChange } from '../models/PlotChange';
import type { Soil } from '../models/Soil';
import type { CancelablePromise } from '../core/CancelablePromise';
import { OpenAPI } from '../core/OpenAPI';
import { request as __request } from '../core/request';
export class PlotsService {
    /**
     * List plots
     * @param free
     * @param soil
     * @returns Plot All of them
     * @throws ApiError
     */
    public static listPlots(
        free?: boolean,
        soil?: Array<Soil>,
    ): CancelablePromise<Array<Plot>> {
        return __request(OpenAPI, {
            method: 'GET',
            url: '/plots',
            query: {
                'free': free,
                'soil': soil,
            },
            errors: {
                401: `No token`,
            },
        });
    }
    /**
     * Create a plot
     * @param requestBody
     * @returns Plot Created
     * @throws ApiError
     */
    public static createPlot(
        requestBody: NewPlot,
    ): CancelablePromise<Plot> {
        return __request(OpenAPI, {
            method: 'POST',
            url: '/plots',
            body: requestBody,
            mediaType: 'application/json',
            errors: {
                422: `Invalid`,
            },
        });
    }
    /**
     * Get a plot
     * @param plotId
     * @param xTrace
     * @returns Plot The plot
     * @throws ApiError
     */
    public static getPlot(
        plotId: number,
        xTrace?: string,
    ): CancelablePromise<Plot> {
        return __request(OpenAPI, {
            method: 'GET',
            url: '/plots/{plot-id}',
            path: {
                'plot-id': plotId,
            },
            headers: {
                'X-Trace': xTrace,
            },
            errors: {
                404: `Unknown plot`,
            },
        });
    }
    /**
     * Change a plot
     * @param plotId
     * @param ifMatch
     * @param requestBody
     * @param dry
     * @returns Plot The plot
     * @throws ApiError
     */
    public static updatePlot(
        plotId: number,
        ifMatch: string,
        requestBody: PlotChange,
        dry?: boolean,
    ): CancelablePromise<Plot> {
        return __request(OpenAPI, {
            method: 'PATCH',
            url: '/plots/{plot-id}',
            path: {
                'plot-id': plotId,
            },
            headers: {
                'If-Match': ifMatch,
            },
            query: {
                'dry': dry,
            },
            body: requestBody,
            mediaType: 'application/json',
            errors: {
                404: `Unknown plot`,
                412: `Changed meanwhile`,
            },
        });
    }
    /**
     * Delete a plot
     * @param plotId
     * @returns void
     * @throws ApiError
     */
    public static deletePlot(
        plotId: number,
    ): CancelablePromise<void> {
        return __request(OpenAPI, {
            method: 'DELETE',
            url: '/plots/{plot-id}',
            path: {
                'plot-id': plotId,
            },
            errors: {
                404: `Unknown plot`,
            },
        });
    }
}
