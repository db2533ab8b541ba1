<?php
// Creates or updates products by your own ids: lines of id, tab and JSON. API_URL is https://…/merchants/mer_…
declare(strict_types=1);

while (($line = fgets(STDIN)) !== false) {
    [$externalId, $body] = explode("\t", rtrim($line, "\n"), 2);
    $context = stream_context_create(['http' => [
        'method' => 'PUT',
        'header' => ['Authorization: Bearer ' . getenv('API_KEY'), 'Content-Type: application/json'],
        'content' => $body,
        'timeout' => 30,
        'ignore_errors' => true,
    ]]);
    $http_response_header = [];
    $answer = file_get_contents(getenv('API_URL') . '/products/external/' . rawurlencode($externalId), false, $context);
    $status = explode(' ', $http_response_header[0] ?? '')[1] ?? '';
    if ($status !== '200' && $status !== '201') {
        fwrite(STDERR, "$externalId: $answer\n");
        exit(1);
    }
    echo $externalId, $status === '201' ? ' created' : ' updated', "\n";
}
