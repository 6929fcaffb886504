/**
 * One GraphQL subscription that outlives its connections: over WebSocket (graphql-transport-ws), or over server-sent events
 * where no WebSocket passes.
 */
export class Stream {
    /** @param {StreamOptions} options */
    constructor(options: StreamOptions);
    /** Connects, and again after each loss. */
    start(): Promise<void>;
    /** Ends the stream for good. */
    close(): void;
    #private;
}
export type StreamOptions = {
    endpoint: URL;
    token: (renew: boolean) => Promise<string>;
    /**
     * Whether a refused token can be replaced.
     */
    renewable: boolean;
    /**
     * Called for each connection, so that it resumes after the last update.
     */
    operation: () => {
        query: string;
        variables: Record<string, any>;
    };
    /**
     * Whether a connection resumes after an update: then none may follow for long, else a first update follows at once.
     */
    resumes: () => boolean;
    next: (data: any) => void;
    status: (status: "connecting" | "online" | "offline" | "unauthorized") => void;
};
