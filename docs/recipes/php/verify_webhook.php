<?php
// Verifies a webhook: php verify_webhook.php ID TIMESTAMP SIGNATURE < body, with WEBHOOK_SECRET.
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** Returns the event. Throws if it is not authentic. `$body` is the raw body, of `php://input` in a web server. */
function verify(string $secret, string $id, string $timestamp, string $signatures, string $body): array
{
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        throw new RuntimeException("sent too long ago, or this machine's clock is wrong");
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // Several signatures while a secret is rotated.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new RuntimeException('not signed with this secret');
}

try {
    [, $id, $timestamp, $signatures] = $argv;
    $event = verify(getenv('WEBHOOK_SECRET'), $id, $timestamp, $signatures, stream_get_contents(STDIN));
    echo "{$event['type']} {$event['id']}\n";
} catch (RuntimeException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
