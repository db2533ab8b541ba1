<?php
// Creates a product exactly once, whatever the network does. API_URL is https://…/merchants/mer_…
declare(strict_types=1);

const MAX_ATTEMPTS = 5;

function post(string $url, string $key, array $body): array
{
    // The same key for all attempts: a repeated request returns the first response.
    $headers = ["Authorization: Bearer $key", 'Content-Type: application/json', 'Idempotency-Key: ' . bin2hex(random_bytes(16))];
    $content = json_encode($body, JSON_THROW_ON_ERROR);
    $options = ['method' => 'POST', 'header' => $headers, 'content' => $content, 'timeout' => 30, 'ignore_errors' => true];
    for ($attempt = 1; ; $attempt++) {
        $http_response_header = [];
        $answer = @file_get_contents($url, false, stream_context_create(['http' => $options]));
        $status = preg_match('~^HTTP/\S+ (\d+)~', $http_response_header[0] ?? '', $found) ? (int) $found[1] : 0;
        if ($status >= 200 && $status < 300) {
            return json_decode($answer, true, 512, JSON_THROW_ON_ERROR);
        }
        // Status 0: no response.
        $isTemporary = $status === 0 || $status === 429 || $status >= 500;
        if (!$isTemporary || $attempt === MAX_ATTEMPTS) {
            throw new RuntimeException($answer ?: 'no response');
        }
        $retryAfter = preg_filter('/^Retry-After: *(\d+)$/i', '$1', $http_response_header);
        usleep((int) (1_000_000 * max(0.25 * 2 ** $attempt, (int) (array_values($retryAfter)[0] ?? 0))));
    }
}

try {
    echo post(getenv('API_URL') . '/products', getenv('API_KEY'), ['title' => 'Lemon tart', 'price' => '4.50'])['id'], "\n";
} catch (RuntimeException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
