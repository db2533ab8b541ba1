// Verifies a webhook: VerifyWebhook ID TIMESTAMP SIGNATURE < body, with WEBHOOK_SECRET.
using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

static class VerifyWebhook
{
    const long ToleranceSeconds = 300;

    /// Whether a request is authentic. The body is the raw body.
    static bool IsAuthentic(string secret, string id, string timestamp, string signatures, byte[] body)
    {
        if (!long.TryParse(timestamp, out var sent)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - sent) > ToleranceSeconds) return false;
        var key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret.Substring(6) : secret);
        var content = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(body).ToArray();
        using (var hmac = new HMACSHA256(key))
        {
            var expected = "v1," + Convert.ToBase64String(hmac.ComputeHash(content));
            // Several signatures while a secret is rotated.
            return signatures.Split(' ').Any(signature => AreEqual(expected, signature));
        }
    }

    /// Compares in constant time, as CryptographicOperations.FixedTimeEquals of newer runtimes.
    static bool AreEqual(string a, string b)
    {
        var difference = a.Length ^ b.Length;
        for (var index = 0; index < Math.Min(a.Length, b.Length); index++) difference |= a[index] ^ b[index];
        return difference == 0;
    }

    static int Main(string[] args)
    {
        var body = new MemoryStream();
        Console.OpenStandardInput().CopyTo(body);
        var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET");
        if (!IsAuthentic(secret, args[0], args[1], args[2], body.ToArray()))
        {
            Console.Error.WriteLine("not signed with this secret, or sent too long ago");
            return 1;
        }
        // Parse it with your JSON library.
        Console.WriteLine(Encoding.UTF8.GetString(body.ToArray()));
        return 0;
    }
}
